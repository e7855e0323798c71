// examples: looks up host names, one after the other, all at once, or so many at a time, each with a time limit: the running example of
// the paper (tame-usenix07, sections 3.2 and 3.3), on name servers that are asked without blocking.    usage: gethost NAME...
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/lookup.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

struct Host {
    std::string name;
    bool in_time = false;
    looked_up found;
};

struct Lookups {
    resolver &names;
    std::vector<Host> &hosts;
    std::chrono::milliseconds limit;
    size_t window;

    // The resolver knows nothing of the limit.
    template <class Event>
    void gethost(Host &host, const Event &done) const {
        names.lookup(host.name, add_timeout(limit, event<bool, looked_up>(done)));
    }

    tamed<> serial() const {
        for (Host &host : hosts) {
            gather one;
            gethost(host, mkevent(one, host.in_time, host.found));
            co_await one;
        }
    }
    tamed<> parallel() const {
        gather all;
        for (Host &host : hosts)
            gethost(host, mkevent(all, host.in_time, host.found));
        co_await all;
    }
    tamed<> windowed() const {
        rendezvous<> r;
        for (size_t sent = 0, received = 0; received < hosts.size();)
            if (sent < hosts.size() && sent - received < window) {
                gethost(hosts[sent], mkevent(r, hosts[sent].in_time, hosts[sent].found));
                ++sent;
            } else {
                co_await r;
                ++received;
            }
    }
};

const std::map<std::string, tamed<> (Lookups::*)() const> flows{
    {"serial", &Lookups::serial}, {"parallel", &Lookups::parallel}, {"windowed", &Lookups::windowed}};

void print(const Host &host) {
    std::string line = host.name;
    if (!host.in_time)
        line += ": no answer";
    else if (!host.found)
        line += ": " + host.found.error.message();
    for (const address &one : host.found.addresses)
        line += " " + one.text();
    std::puts(line.c_str());
}

}  // namespace

int main(int count, char **arguments) {
    CLI::App app{"Looks up the addresses of hosts."};
    std::vector<std::string> given;
    std::string flow = "windowed";
    resolver_options options;
    int limit_ms = 5000;
    size_t window = 20;
    app.add_option("NAME", given, "Host names")->required();
    app.add_option("--flow", flow, "How: serial, parallel or windowed")
        ->check(CLI::IsMember(flows))
        ->capture_default_str();
    app.add_option("--window", window, "Of windowed: so many at a time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--limit", limit_ms, "Of each name, in ms")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--server", options.servers,
                   "Name servers, as ADDRESS or ADDRESS:PORT; the system's where none is given");
    CLI11_PARSE(app, count, arguments);
    try {
        const thalweg::Loop loop;
        // Whose names a server of one's own knows is nothing that the system's domains could tell.
        options.search = options.servers.empty();
        resolver names(options);
        std::vector<Host> hosts;
        for (const std::string &name : given)
            hosts.push_back({name, false, {}});
        const Lookups lookups{names, hosts, std::chrono::milliseconds(limit_ms), window};
        wait((lookups.*flows.at(flow))());
        for (const Host &host : hosts)
            print(host);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "gethost: %s\n", error.what());
        return 1;
    }
}
