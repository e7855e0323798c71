// examples: looks up host names, all at once and each with a time limit, and keeps the addresses in a database. Both the C library's
// resolver and SQLite block; here they do so in other threads.    usage: lookups FILE.db NAME...
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <netdb.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include "database.h"
#include <thalweg/loop.h>
#include <thalweg/tame.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// In another thread. Empty: there is none.
std::string address_of(const std::string &name) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0)
        return {};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
    char text[NI_MAXHOST] = "";
    getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof(text), nullptr, 0, NI_NUMERICHOST);
    return text;
}

tamed<> look_up(const std::vector<std::string> &names, waits::Database &addresses) {
    co_await addresses.run("CREATE TABLE IF NOT EXISTS address(name TEXT PRIMARY KEY, address TEXT)");
    rendezvous<size_t> r;
    std::vector<std::string> found(names.size());
    const std::unique_ptr<bool[]> in_time(new bool[names.size()]());
    for (size_t i = 0; i < names.size(); ++i)
        tfork([name = names[i]] { return address_of(name); },
              add_timeout(5s, event<bool, std::string>(mkevent(r, i, in_time[i], found[i]))));
    for (size_t left = names.size(); left > 0; --left) {
        const size_t i = co_await r;
        const std::string &address = !in_time[i] ? "no answer" : found[i].empty() ? "unknown" : found[i];
        const std::vector<std::string> row{names[i], address};
        co_await addresses.run("INSERT OR REPLACE INTO address VALUES(?1, ?2)", row);
    }
    for (const waits::Database::Row &row : co_await addresses.run("SELECT name, address FROM address ORDER BY name"))
        std::printf("%s %s\n", row[0].c_str(), row[1].c_str());
}

}  // namespace

int main(int count, char **arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s FILE.db NAME...\n", arguments[0]);
        return 2;
    }
    try {
        const thalweg::Loop loop;
        waits::Database addresses(arguments[1]);
        const std::vector<std::string> names(arguments + 2, arguments + count);
        wait(look_up(names, addresses));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "lookups: %s\n", error.what());
        return 1;
    }
}
