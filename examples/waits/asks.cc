// examples: SQL that asks the network: `address(name)` is a function in the statement, which SQLite calls, and which waits for the resolver.
// SQLite knows nothing of that; the statement is on a fiber, and the thread goes on meanwhile.    usage: asks NAME...
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
#include <thalweg/tame/fiber.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// In another thread. Empty: there is none.
std::string resolve(const std::string &name) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0)
        return {};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
    char text[NI_MAXHOST] = "";
    getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof(text), nullptr, 0, NI_NUMERICHOST);
    return text;
}

// A plain function, as SQLite wants one.
std::string address_of(const std::string &name) {
    gather all;
    bool in_time = false;
    std::string address;
    tfork([=] { return resolve(name); }, add_timeout(5s, event<bool, std::string>(mkevent(all, in_time, address))));
    wait(all);
    return !in_time ? "no answer" : address.empty() ? "unknown" : address;
}

// All statements wait at once.
tamed<> ask(const std::vector<std::string> &names) {
    using Rows = std::vector<waits::Database::Row>;
    std::vector<tamed<Rows>> answers;
    for (const std::string &name : names)
        answers.push_back(on_fiber([&name]() -> Rows {
            waits::Database own(":memory:");
            own.add_function("address", address_of);
            return own.run_here("SELECT ?1, address(?1)", {name});
        }));
    for (tamed<Rows> &each : answers) {
        const Rows rows = co_await each;
        std::printf("%s %s\n", rows[0][0].c_str(), rows[0][1].c_str());
    }
}

}  // namespace

int main(int count, char **arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s NAME...\n", arguments[0]);
        return 2;
    }
    try {
        const thalweg::Loop loop;
        const std::vector<std::string> names(arguments + 1, arguments + count);
        wait(ask(names));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "asks: %s\n", error.what());
        return 1;
    }
}
