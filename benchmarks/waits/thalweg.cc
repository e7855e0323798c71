// benchmarks: waiting with thalweg::tame.
#include <vector>

#include <thalweg/event.h>
#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "driver.h"

namespace {

using namespace thalweg::tame;

// A number that a function brings without blocking.
[[gnu::noinline]] tamed<uint64_t> at_once(uint64_t number) { co_return number + 1; }

tamed<> call_each(uint64_t count, uint64_t &sum) {
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await at_once(i);
}

uint64_t null(uint64_t count) {
    uint64_t sum = 0;
    call_each(count, sum);
    return sum;
}

// An event that has occurred before it is waited for.
tamed<> wait_each(uint64_t count, uint64_t &sum) {
    for (uint64_t i = 0; i < count; ++i) {
        rendezvous<> r;
        uint64_t slot = 0;
        mkevent(r, slot).trigger(i);
        co_await r;
        sum += slot;
    }
}

uint64_t ready(uint64_t count) {
    uint64_t sum = 0;
    wait_each(count, sum);
    return sum;
}

tamed<> pause_each(uint64_t count, uint64_t &sum, thalweg::Loop &loop) {
    for (uint64_t i = 0; i < count; ++i) {
        co_await pause_for(std::chrono::nanoseconds(0));
        sum += i;
    }
    loop.stop();
}

uint64_t timer0(uint64_t count) {
    thalweg::Loop loop;
    uint64_t sum = 0;
    pause_each(count, sum, loop);
    loop.run();
    return sum;
}

// The paper's benchfn (Figure 9) as a handler that has itself called again, with an implicit rendezvous, and with an explicit one.
struct Pauses {
    thalweg::Loop loop;
    thalweg::Event<> passed;
    uint64_t next, count, sum;

    void have_paused() {
        sum += next++;
        pause();
    }
    void pause() {
        if (next == count)
            loop.stop();
        else
            passed.post_after(std::chrono::nanoseconds(0));
    }
};

uint64_t timer0_callback(uint64_t count) {
    Pauses pauses{{}, {}, 0, count, 0};
    pauses.passed.bind<&Pauses::have_paused>(&pauses);
    pauses.pause();
    pauses.loop.run();
    return pauses.sum;
}

tamed<> gather_each(uint64_t count, uint64_t &sum, thalweg::Loop &loop) {
    for (uint64_t i = 0; i < count; ++i) {
        gather all;
        timer(std::chrono::nanoseconds(0), mkevent(all));
        co_await all;
        sum += i;
    }
    loop.stop();
}

uint64_t timer0_gather(uint64_t count) {
    thalweg::Loop loop;
    uint64_t sum = 0;
    gather_each(count, sum, loop);
    loop.run();
    return sum;
}

tamed<> take_each(uint64_t count, uint64_t &sum, thalweg::Loop &loop) {
    for (uint64_t i = 0; i < count; ++i) {
        rendezvous<> r;
        timer(std::chrono::nanoseconds(0), mkevent(r));
        co_await r;
        sum += i;
    }
    loop.stop();
}

uint64_t timer0_rendezvous(uint64_t count) {
    thalweg::Loop loop;
    uint64_t sum = 0;
    take_each(count, sum, loop);
    loop.run();
    return sum;
}

tamed<> call_elsewhere(uint64_t count, uint64_t &sum, thalweg::Loop &loop) {
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await blocking([i] { return i; });
    loop.stop();
}

uint64_t elsewhere(uint64_t count) {
    thalweg::Loop loop;
    uint64_t sum = 0;
    call_elsewhere(count, sum, loop);
    loop.run();
    return sum;
}

// The child blocks, is let go on from outside, and its caller waits for it.
[[gnu::noinline]] tamed<uint64_t> child(event<uint64_t> &outside) {
    gather all;
    uint64_t number = 0;
    outside = mkevent(all, number);
    co_await all;
    co_return number;
}

tamed<> join_each(uint64_t count, uint64_t &sum, event<uint64_t> &outside) {
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await child(outside);
}

uint64_t fork_join(uint64_t count) {
    uint64_t sum = 0;
    event<uint64_t> outside;
    const tamed<> joins = join_each(count, sum, outside);
    for (uint64_t i = 0; i < count; ++i)
        event<uint64_t>(std::move(outside)).trigger(i);
    return sum;
}

// An answer that comes in time, through the adapter.
tamed<> limit_each(uint64_t count, uint64_t &sum, event<uint64_t> &answer) {
    for (uint64_t i = 0; i < count; ++i) {
        gather all;
        bool in_time = false;
        uint64_t number = 0;
        answer = add_timeout(std::chrono::seconds(10), event<bool, uint64_t>(mkevent(all, in_time, number)));
        co_await all;
        sum += in_time ? number : 0;
    }
}

uint64_t timeout(uint64_t count) {
    thalweg::Loop loop;
    uint64_t sum = 0;
    event<uint64_t> answer;
    const tamed<> waits = limit_each(count, sum, answer);
    for (uint64_t i = 0; i < count; ++i)
        event<uint64_t>(std::move(answer)).trigger(i);
    return sum;
}

std::vector<event<>> never;

tamed<> blocks(event<> &last) {
    gather all;
    last = mkevent(all);
    co_await all;
}

void block(uint64_t count) {
    never.resize(count);
    for (event<> &one : never)
        blocks(one);
}

constexpr waits::Case cases[] = {{"null", null},
                                 {"ready", ready},
                                 {"timer0", timer0},
                                 {"fork-join", fork_join},
                                 {"timeout", timeout},
                                 {"timer0-callback", timer0_callback},
                                 {"timer0-gather", timer0_gather},
                                 {"timer0-rendezvous", timer0_rendezvous},
                                 {"elsewhere", elsewhere}};

}  // namespace

int main(int argc, char **argv) {
    set_reporter(nullptr);
    return waits::drive(argc, argv, cases, block);
}
