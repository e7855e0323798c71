// tests: reads scripts for programs of coroutines, executes them, prints one digest a script (or with an argument: that script's trace).
#include "waits.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace {

constexpr int deepest_raise = 4;
constexpr int most_runs = 4000;  // lines of a script's trace; what is behind them only ends
constexpr int flushes = 4;  // at a script's end, of whatever waits: what goes on may wait again
constexpr unsigned certain = 1000;

struct Run {
    uint64_t state = 0;
    unsigned wildness = 0;
    uint64_t digest = 0;
    int runs = 0;
    int depth = 0;
    bool over = false;
    bool show = false;
};
Run run;

void told(const report &what) {
    trace("told", static_cast<long>(what.what), what.event.line(), static_cast<long>(what.events));
}

void flush() {
    for (auto &one : at.ints)
        fire(one, 1);
    for (auto &one : at.plains)
        fire(one);
    for (auto &one : at.pairs)
        fire(one, 2, 3L);
    for (auto &one : at.texts)
        fire(one, std::string("end"));
    for (auto &queue : at.queues)
        while (!queue.empty())
            fire_first(queue, 4);
    for (Baton &baton : batons)
        baton.hand(5);
    for (size_t left = HandOn::ring.size(); left > 0 && !HandOn::ring.empty(); --left) {
        const std::coroutine_handle<> first = HandOn::ring.front();
        HandOn::ring.pop_front();
        first.resume();
    }
    wait(pause_for(std::chrono::seconds(1)));
}

void run_rounds(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        try {
            raise_source(wild() ? draw(source_count) : round % source_count, static_cast<int>(draw(1000)));
        } catch (int thrown) {
            trace("escaped", thrown, round);
        }
        if (round % 4 == 0 || wild())
            wait(pause_for(us(50)));
    }
}

void run_script(const std::string &line) {
    const bool show = run.show;
    run = {};
    run.show = show;
    unsigned rounds = 0;
    std::istringstream(line) >> run.state >> run.wildness >> rounds;
    at = {};
    for (auto &one : at.shared)
        one = std::make_unique<rendezvous<int>>();
    for (auto &one : at.locks)
        one = new lock;
    begin_all();
    run_rounds(rounds);
    run.over = true;
    for (int i = 0; i < flushes; ++i)
        flush();
    for (auto &one : at.shared)
        one.reset();
    wait(pause_for(std::chrono::seconds(1)));
    for (Baton &baton : batons)
        baton = {};
    HandOn::ring.clear();
}

}  // namespace

Places at;
Baton batons[places];
std::deque<std::coroutine_handle<>> HandOn::ring;

// Knuth's MMIX generator; its high bits are the good ones.
unsigned draw(unsigned below) {
    run.state = run.state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(run.state >> 33) % below;
}
bool wild() { return run.wildness != 0 && draw(certain) < run.wildness; }
bool goes_on() { return !run.over && run.runs < most_runs; }
bool may_raise() { return run.depth < deepest_raise && goes_on(); }
Depth::Depth() { ++run.depth; }
Depth::~Depth() { --run.depth; }

void trace(const char *what, long a, long b, long c) {
    ++run.runs;
    for (const long value : {static_cast<long>(what[0]), a, b, c})
        run.digest = (run.digest ^ static_cast<uint64_t>(value)) * 0x100000001b3;
    if (run.show)
        std::printf("%*s%s %ld %ld %ld\n", run.depth * 2, "", what, a, b, c);
}

int main(int argc, char **argv) {
    const long shown = argc > 1 ? std::atol(argv[1]) : -1;
    const thalweg::Loop loop;
    const virtual_time time;
    set_reporter(&told);
    long number = 0;
    for (std::string line; std::getline(std::cin, line); ++number) {
        if (shown >= 0 && number != shown)
            continue;
        run.show = number == shown;
        run_script(line);
        std::printf("script %ld digest %016llx runs %d\n", number, static_cast<unsigned long long>(run.digest),
                    run.runs);
    }
    set_reporter(nullptr);
}
