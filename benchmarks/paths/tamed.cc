// benchmarks: written in parts: an event that a handler is bound to, and tamed functions that wait for what the handler brings.
#include <optional>

#include <thalweg/event.h>
#include <thalweg/tame.h>

#include "paths/path.h"

namespace {

using namespace thalweg::tame;

thalweg::Event<int> sampled{"sampled"}, received{"received"};
event<int> next_sample, next_part;
std::optional<tamed<>> running;
uint64_t sum;

tamed<> add_samples() {
    for (;;) {
        int sample = 0;
        gather all;
        next_sample = mkevent(all, sample);
        co_await all;
        sum = 3 * sum + static_cast<uint64_t>(sample);
    }
}

tamed<> read_frames() {
    for (;;) {
        int header = 0, body = 0;
        rendezvous<> r;
        next_part = mkevent(r, header);
        co_await r;
        next_part = mkevent(r, body);
        co_await r;
        sum = 5 * sum + static_cast<uint64_t>(header ^ body);
    }
}

void on_sample(int sample) { event<int>(std::move(next_sample)).trigger(sample); }
void on_part(int part) { event<int>(std::move(next_part)).trigger(part); }

void start(tamed<> (*function)(), event<int> &next) {
    set_reporter(nullptr);  // the function of the case before ends where it waits
    next = {};
    sum = 0;
    running.emplace(function());
}

}  // namespace

void start_relay() {
    start(add_samples, next_sample);
    [[maybe_unused]] static const thalweg::Binding bound = sampled.bind<&on_sample>();
}

void start_frames() {
    start(read_frames, next_part);
    [[maybe_unused]] static const thalweg::Binding bound = received.bind<&on_part>();
}

void bring_sample(int sample) { sampled.raise(sample); }
void bring_part(int part) { received.raise(part); }
uint64_t result() { return sum; }
