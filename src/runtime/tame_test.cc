// runtime: events, rendezvous and tamed functions, as claims (paper tame-usenix07, sections 3 and 5).
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

tamed<> wait_for(gather &all, std::string &log, std::string word) {
    co_await all;
    log += word;
}

TEST(Event, FillsItsSlotWhenItIsTriggered) {
    rendezvous<> r;
    int i = 0;
    const event<int> e = mkevent(r, i);
    EXPECT_TRUE(e);
    e.trigger(100);
    EXPECT_EQ(i, 100);
    EXPECT_FALSE(e);
    EXPECT_TRUE(r.has_occurred());
}

TEST(Event, IsTriggeredOnce) {
    rendezvous<> r;
    int i = 0;
    const event<int> e = mkevent(r, i);
    e.trigger(1);
    e.trigger(2);
    EXPECT_EQ(i, 1);
}

TEST(Event, OfNoneDoesNothing) {
    const event<int> none;
    EXPECT_FALSE(none);
    none.trigger(1);
}

TEST(Event, IsAFunctionOfItsValues) {
    rendezvous<> r;
    int i = 0;
    std::string text;
    const std::function<void(int, std::string)> callback = mkevent(r, i, text);
    callback(7, "seven");
    EXPECT_EQ(i, 7);
    EXPECT_EQ(text, "seven");
}

TEST(Gather, BlocksUntilAllHaveOccurred) {
    std::string log;
    gather all;
    const event<> one = mkevent(all), two = mkevent(all);
    const tamed<> waiting = wait_for(all, log, "on");
    one.trigger();
    EXPECT_EQ(log, "");
    two.trigger();
    EXPECT_EQ(log, "on");
    EXPECT_TRUE(waiting.has_returned());
}

TEST(Gather, DoesNotBlockWhenNothingIsToCome) {
    std::string log;
    gather all;
    mkevent(all).trigger();
    wait_for(all, log, "at once");
    EXPECT_EQ(log, "at once");
}

TEST(Gather, KnowsEachOfManyEventsInWhateverOrderTheyEnd) {
    constexpr size_t many = 100;
    const Told told;
    std::string log;
    std::vector<int> slots(many);
    std::vector<event<int>> events(many);
    {
        gather all;
        for (size_t i = 0; i < many; ++i)
            events[i] = mkevent(all, slots[i]);
        wait_for(all, log, "on");
        for (size_t i = 0; i < many; i += 2)
            events[i * 37 % many].trigger(1);
        for (size_t i = 1; i < many; i += 2) {
            EXPECT_EQ(log, "");
            events[i].trigger(1);
        }
        EXPECT_EQ(log, "on");
        events[0] = mkevent(all, slots[0]);
        for (size_t i = 1; i < many; ++i)
            events[i] = mkevent(all, slots[i]);
        for (const size_t i : {size_t{5}, many - 1, size_t{50}, size_t{0}})
            events[i].trigger(2);
    }
    for (const event<int> &late : events) {
        EXPECT_FALSE(late);
        late.trigger(3);
    }
    EXPECT_EQ(slots, [] {
        std::vector<int> expected(many, 1);
        expected[0] = expected[5] = expected[50] = expected[many - 1] = 2;
        return expected;
    }());
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].events, many - 4);
}

tamed<> take_ids(rendezvous<std::string> &r, std::string &log, int count) {
    for (int i = 0; i < count; ++i)
        log += co_await r;
}

TEST(Rendezvous, GivesTheIdsInTheOrderInWhichTheyOccurred) {
    std::string log;
    rendezvous<std::string> r;
    const event<> a = mkevent(r, std::string("a")), b = mkevent(r, "b"), c = mkevent(r, "c");
    b.trigger();
    take_ids(r, log, 3);
    EXPECT_EQ(log, "b");
    c.trigger();
    a.trigger();
    EXPECT_EQ(log, "bca");
}

TEST(Rendezvous, WithSeveralIdsGivesAllOfThem) {
    rendezvous<int, bool> r;
    double value = 0;
    const event<double> e = mkevent(r, 5, true, value);
    e.trigger(2.5);
    [](rendezvous<int, bool> &on) -> tamed<> {
        const auto [number, flag] = co_await on;
        EXPECT_EQ(number, 5);
        EXPECT_TRUE(flag);
    }(r);
    EXPECT_EQ(value, 2.5);
}

// ---- memory: the paper's section 5 ----

TEST(Memory, ATriggerAfterTheRendezvousIsGoneIsHarmless) {
    const Told told;
    event<int> late;
    constexpr unsigned line = __LINE__ + 4;
    {
        rendezvous<> r;
        int slot = 0;
        late = mkevent(r, slot);
    }
    EXPECT_FALSE(late);
    late.trigger(1);
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::abandoned);
    EXPECT_EQ(Told::reports[0].event.line(), line);
}

TEST(Memory, ATriggerAfterCancelIsHarmlessAndNotToldOf) {
    const Told told;
    int slot = 0;
    rendezvous<> r;
    const event<int> e = mkevent(r, slot);
    r.cancel();
    e.trigger(1);
    EXPECT_EQ(slot, 0);
    EXPECT_FALSE(r.has_occurred());
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Memory, AnEventThatNobodyCanTriggerIsToldOfWithItsPlace) {
    const Told told;
    gather all;
    constexpr unsigned line = __LINE__ + 2;
    {
        const event<> dropped = mkevent(all);
    }
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::never_triggered);
    EXPECT_EQ(Told::reports[0].event.line(), line);
}

// The paper's `broken`: the function has ended, and its event is triggered afterwards.
tamed<> broken(event<int> &kept) {
    rendezvous<> r;
    int result = 0;
    kept = mkevent(r, result);
    co_return;
}

TEST(Memory, AFunctionsEndCancelsWhatIsLeft) {
    const Told told;
    event<int> kept;
    broken(kept);
    EXPECT_FALSE(kept);
    kept.trigger(1);
    EXPECT_EQ(Told::reports.size(), 1u);
}

// Says when it is gone.
struct Local {
    std::string &log;
    std::string word;
    ~Local() { log += word; }
};

tamed<int> waits_for_another(rendezvous<> &others, std::string &log) {
    const Local local{log, "inner "};
    co_await others;
    co_return 1;
}

tamed<> waits_for_that(rendezvous<> &others, std::string &log) {
    const Local local{log, "outer "};
    co_await waits_for_another(others, log);
    log += "not reached";
}

TEST(Memory, WhoWaitsForARendezvousThatIsGoneEndsThereWithAllThatWaitForIt) {
    const Told told;
    std::string log;
    auto others = std::make_unique<rendezvous<>>();
    waits_for_that(*others, log);
    others.reset();
    EXPECT_EQ(log, "inner outer ");
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::waited_for);
}

TEST(Memory, OfAGatherThatIsGoneAnEventsPlaceIsTold) {
    const Told told;
    std::string log;
    auto all = std::make_unique<gather>();
    constexpr unsigned line = __LINE__ + 1;
    const event<> e = mkevent(*all);
    wait_for(*all, log, "not reached");
    all.reset();
    EXPECT_EQ(log, "");
    ASSERT_EQ(Told::reports.size(), 2u);
    EXPECT_EQ(Told::reports[0].what, mistake::abandoned);
    EXPECT_EQ(Told::reports[0].event.line(), line);
    EXPECT_EQ(Told::reports[1].what, mistake::waited_for);
    EXPECT_EQ(Told::reports[1].rendezvous.line(), line);
}

TEST(Memory, AnEventThatHasASourceKeepsItsPlace) {
    const Told told;
    thalweg::Loop loop;
    constexpr unsigned line = __LINE__ + 3;
    {
        gather all;
        timer(1h, mkevent(all));
    }
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].event.line(), line);
}

TEST(Memory, WhoHoldsAFunctionThatEndedSoHoldsNothing) {
    const Told told;
    std::string log;
    auto others = std::make_unique<rendezvous<>>();
    tamed<int> held = waits_for_another(*others, log);
    tamed<int> moved = std::move(held);
    others.reset();
    EXPECT_EQ(log, "inner ");
    EXPECT_FALSE(moved.has_returned());
}

// ---- tamed functions ----

tamed<int> twice(int value, event<> &go) {
    gather all;
    go = mkevent(all);
    co_await all;
    co_return 2 * value;
}

tamed<> sum(int &result, event<> &go) { result = co_await twice(4, go) + 1; }

TEST(Tamed, GivesItsResultToTheOneWhoWaits) {
    int result = 0;
    event<> go;
    sum(result, go);
    EXPECT_EQ(result, 0);
    go.trigger();
    EXPECT_EQ(result, 9);
}

tamed<int> fails(event<> &go) {
    gather all;
    go = mkevent(all);
    co_await all;
    throw std::runtime_error("no");
}

tamed<> catches(std::string &log, event<> &go) {
    try {
        co_await fails(go);
    } catch (const std::runtime_error &error) {
        log += error.what();
    }
}

TEST(Tamed, ThrowsToTheOneWhoWaits) {
    std::string log;
    event<> go;
    catches(log, go);
    go.trigger();
    EXPECT_EQ(log, "no");
}

TEST(Tamed, LetsTheOthersGoOnWhenItBlocksOrReturns) {
    std::string log;
    gather first, second;
    const event<> a = mkevent(first), b = mkevent(second);
    wait_for(first, log, "first ");
    wait_for(second, log, "second ");
    [](std::string &written, const event<> &one, const event<> &two) -> tamed<> {
        two.trigger();
        one.trigger();
        written += "not yet ";
        co_return;
    }(log, a, b);
    EXPECT_EQ(log, "not yet second first ");
}

tamed<> passes_on(std::vector<event<>> &chain, size_t at, size_t &count) {
    gather all;
    chain[at] = mkevent(all);
    co_await all;
    ++count;
    if (at > 0)
        chain[at - 1].trigger();
}

TEST(Tamed, AsManyAsThereAreGoOnWithoutMoreStack) {
    constexpr size_t many = 100000;
    thalweg::Loop loop;
    std::vector<event<>> chain(many);
    size_t count = 0;
    for (size_t i = 0; i < many; ++i)
        passes_on(chain, i, count);
    chain.back().trigger();
    EXPECT_LT(count, many) << "the loop has its turn in between";
    while (count < many && loop.poll() != 0) {
    }
    EXPECT_EQ(count, many);
}

// Another library's: resumed from wherever that library does it.
struct Elsewhere {
    std::coroutine_handle<> &kept;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> function) { kept = function; }
    int await_resume() const { return 3; }
};

tamed<> waits_elsewhere(std::coroutine_handle<> &kept, std::string &log, const event<> &other) {
    const int number = co_await Elsewhere{kept};
    other.trigger();
    log += std::to_string(number) + " ";
}

TEST(Tamed, WaitsForWhatAnotherLibraryResumes) {
    std::string log;
    gather all;
    const event<> other = mkevent(all);
    std::coroutine_handle<> kept;
    const tamed<> waiting = waits_elsewhere(kept, log, other);
    wait_for(all, log, "after it");
    EXPECT_EQ(log, "");
    kept.resume();
    EXPECT_EQ(log, "3 after it");
    EXPECT_TRUE(waiting.has_returned());
}

// Another library's coroutine: it begins in the place of who waits for it, who goes on in its place at its end.
struct Lazy {
    struct promise_type {  // NOLINT(readability-identifier-naming): the language asks for it
        std::coroutine_handle<> waiter;
        struct AtEnd {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> own) noexcept {
                return own.promise().waiter;
            }
            void await_resume() noexcept {}
        };
        Lazy get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        AtEnd final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> function;

    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) const {
        function.promise().waiter = waiter;
        return function;
    }
    void await_resume() const { function.destroy(); }
};

Lazy blocks_elsewhere(std::coroutine_handle<> &kept) { co_await Elsewhere{kept}; }
Lazy does_not_block() { co_return; }

tamed<> waits_for_lazy(Lazy lazy, std::string &log, const event<> &other) {
    other.trigger();
    co_await lazy;
    log += "after lazy ";
}

TEST(Tamed, WaitsForAnotherLibrarysCoroutineInWhosePlaceItGoesOn) {
    const thalweg::Loop loop;
    std::string log;
    gather all, unrelated;
    const event<> other = mkevent(all);
    wait_for(all, log, "other ");
    waits_for_lazy(does_not_block(), log, other);
    EXPECT_EQ(log, "after lazy other ");
    wait_for(unrelated, log, "no wait ");
    EXPECT_TRUE(detail::ready.is_idle());
}

TEST(Tamed, LetsOthersGoOnWhileAnotherLibrarysCoroutineBlocksInItsPlace) {
    const thalweg::Loop loop;
    std::string log;
    gather all;
    const event<> other = mkevent(all);
    std::coroutine_handle<> kept;
    wait_for(all, log, "other ");
    waits_for_lazy(blocks_elsewhere(kept), log, other);
    thalweg_loop_run_once(thalweg_loop_here(), 0, nullptr);
    EXPECT_EQ(log, "other ");
    kept.resume();
    EXPECT_EQ(log, "other after lazy ");
    EXPECT_TRUE(detail::ready.is_idle());
}

// ---- the loop ----

tamed<> sleeps(std::string &log, std::chrono::nanoseconds time, std::string word) {
    co_await pause_for(time);
    log += word;
}

TEST(Timer, BlocksOnlyTheFunctionThatWaits) {
    thalweg::Loop loop;
    std::string log;
    sleeps(log, 2ms, "later ");
    sleeps(log, 0ns, "now ");
    while (log.size() < 10)
        loop.run_once();
    EXPECT_EQ(log, "now later ");
}

tamed<> sleeps_with_local(std::string &log) {
    const Local local{log, "inner "};
    co_await pause_for(1h);
    log += "not reached";
}

tamed<> waits_for_sleeper(std::string &log) {
    const Local local{log, "outer "};
    co_await sleeps_with_local(log);
    log += "not reached";
}

TEST(Timer, WhoPausesEndsThereWithTheLoopAndAllThatWaitForIt) {
    std::string log;
    {
        const thalweg::Loop loop;
        waits_for_sleeper(log);
    }
    EXPECT_EQ(log, "inner outer ");
}

// The loop sees to others after so many; a function that begins before it comes back takes what is left along.
TEST(Timer, WhatIsLeftOfALongTurnMayBeTakenAlongByAnother) {
    constexpr size_t many = 1000;
    thalweg::Loop loop;
    std::vector<event<>> chain(many);
    size_t count = 0;
    for (size_t i = 0; i < many; ++i)
        passes_on(chain, i, count);
    chain.back().trigger();
    std::string log;
    while (count < many)
        sleeps(log, 0ns, "");
    while (loop.poll() != 0) {
    }
    EXPECT_EQ(count, many);
}

tamed<> race(std::string &log, std::chrono::nanoseconds limit, event<int> &answer) {
    rendezvous<bool> r;
    int value = 0;
    timer(limit, mkevent(r, false));
    answer = mkevent(r, true, value);
    const bool answered = co_await r;
    log += answered ? std::to_string(value) : "timeout";
    r.cancel();
}

TEST(Timer, EndsAWaitWhenNothingElseDoes) {
    const Told told;
    thalweg::Loop loop;
    std::string log;
    event<int> answer;
    race(log, 1ms, answer);
    while (log.empty())
        loop.run_once();
    EXPECT_EQ(log, "timeout");
    answer.trigger(5);
    EXPECT_EQ(log, "timeout");
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Timer, IsGoneWithTheRendezvous) {
    thalweg::Loop loop;
    std::string log;
    event<int> answer;
    race(log, 1h, answer);
    answer.trigger(5);
    EXPECT_EQ(log, "5");
    size_t done = 0;
    thalweg_loop_run_once(loop.handle(), 0, &done);
    EXPECT_EQ(done, 0u);
}

TEST(Timer, IsNotToldOfACancelAfterItsLoopIsGone) {
    const Told told;
    rendezvous<> r;
    const event<> e = mkevent(r);
    {
        const thalweg::Loop loop;
        timer(1h, e);
    }
    EXPECT_TRUE(e);
    r.cancel();
    EXPECT_FALSE(e);
}

// ---- adapters: the paper's section 3.3 ----

tamed<> looks_up(std::string &log, std::chrono::nanoseconds limit, event<std::string> &answer) {
    gather all;
    bool in_time = false;
    std::string address;
    answer = add_timeout(limit, event<bool, std::string>(mkevent(all, in_time, address)));
    co_await all;
    log += in_time ? address : "timeout";
}

TEST(Timeout, LetsAnAnswerThrough) {
    const Told told;
    thalweg::Loop loop;
    std::string log;
    event<std::string> answer;
    looks_up(log, 1h, answer);
    answer.trigger("10.0.0.1");
    EXPECT_EQ(log, "10.0.0.1");
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Timeout, EndsTheWaitForAnEventThatKnowsNothingOfIt) {
    const Told told;
    thalweg::Loop loop;
    std::string log;
    event<std::string> answer;
    looks_up(log, 1ms, answer);
    while (log.empty())
        loop.run_once();
    EXPECT_EQ(log, "timeout");
    EXPECT_FALSE(answer);
    answer.trigger("too late");
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Timeout, EndsWhenNobodyWaitsAnyMore) {
    const Told told;
    thalweg::Loop loop;
    event<> answer;
    {
        gather all;
        bool in_time = false;
        answer = add_timeout(1h, event<bool>(mkevent(all, in_time)));
        all.cancel();
    }
    EXPECT_FALSE(answer);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Timeout, OfAnEventThatNobodyHasAnyMoreIsToldOfWithThePlaceWhereItWasMade) {
    const Told told;
    const thalweg::Loop loop;
    const virtual_time time;
    gather all;
    bool in_time = true;
    event<> answer = add_timeout(1h, event<bool>(mkevent(all, in_time)));
    constexpr unsigned line = __LINE__ - 1;
    answer = {};
    answer = with_timeout(1h, event<>(mkevent(all)));
    answer = {};
    wait(all);
    EXPECT_FALSE(in_time);
    ASSERT_EQ(Told::reports.size(), 2u);
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(Told::reports[i].what, mistake::never_triggered);
        EXPECT_STREQ(Told::reports[i].event.file_name(), __FILE__);
        EXPECT_EQ(Told::reports[i].event.line(), line + 3 * i);
        EXPECT_EQ(Told::reports[i].rendezvous.line(), line + 3 * i);
    }
}

}  // namespace
