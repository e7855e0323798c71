// runtime: plain functions that wait, as claims (paper tame-usenix07, section 4).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// The paper's.
int mysleep(int d) {
    gather all;
    timer(std::chrono::seconds(d), mkevent(all));
    wait(all);
    return d;
}

TEST(Wait, BlocksAPlainFunction) {
    const thalweg::Loop loop;
    const virtual_time time;
    EXPECT_EQ(mysleep(3), 3);
    EXPECT_EQ(time.elapsed(), 3s);
}

TEST(Wait, DoesNotBlockWhereNothingIsToCome) {
    const thalweg::Loop loop;
    rendezvous<int> r;
    int value = 0;
    mkevent(r, 4, value).trigger(5);
    EXPECT_EQ(wait(r), 4);
    EXPECT_EQ(value, 5);
    gather none;
    wait(none);
}

TEST(Wait, GivesTheIdOfTheEventThatHasOccurredFirst) {
    const thalweg::Loop loop;
    const virtual_time time;
    rendezvous<std::string> r;
    timer(2s, mkevent(r, "two"));
    timer(1s, mkevent(r, "one"));
    EXPECT_EQ(wait(r), "one");
    EXPECT_EQ(wait(r), "two");
}

tamed<std::unique_ptr<int>> gives(int value) {
    co_await pause_for(1s);
    co_return std::make_unique<int>(value);
}

TEST(Wait, GivesWhatATamedFunctionReturns) {
    const thalweg::Loop loop;
    const virtual_time time;
    EXPECT_EQ(*wait(gives(6)), 6);
    wait(pause_for(1s));
    EXPECT_EQ(wait(blocking([] { return 7; })), 7);
    EXPECT_EQ(time.elapsed(), 2s);
}

tamed<> fails() {
    co_await pause_for(1s);
    throw std::runtime_error("no");
}

TEST(Wait, ThrowsWhatATamedFunctionThrows) {
    const thalweg::Loop loop;
    const virtual_time time;
    EXPECT_THROW(wait(fails()), std::runtime_error);
}

TEST(Wait, LetsAHandlersExceptionThroughAndTheFunctionGoItsWay) {
    const thalweg::Loop loop;
    const virtual_time time;
    thalweg::Event<> event("throws");
    event.bind([] { throw std::runtime_error("handler"); });
    event.post();
    EXPECT_THROW(wait(gives(1)), std::runtime_error);
    wait(pause_for(2s));
}

// ---- one wait inside another ----

tamed<> calls(const std::function<void()> &plain, std::string &log, std::string word) {
    plain();
    log += word;
    co_return;
}

TEST(Wait, InsideATamedFunctionLetsTheOthersGoOn) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    gather all;
    const event<> other = mkevent(all);
    [](gather &on, std::string &written) -> tamed<> {
        co_await on;
        written += "other ";
    }(all, log);
    const auto plain = [&] {
        other.trigger();
        log += "waits ";
        wait(pause_for(1s));
    };
    calls(plain, log, "on");
    EXPECT_EQ(log, "waits other on");
}

TEST(Wait, InsideAnotherEndsFirst) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    const auto inner = [&] {
        wait(pause_for(3s));
        log += "inner ";
    };
    thalweg::Event<> event("waits");
    event.bind([&] { inner(); });
    event.post_after(1s);
    wait(pause_for(2s));
    EXPECT_EQ(log, "inner ");
    EXPECT_EQ(time.elapsed(), 4s);
}

TEST(Wait, ManyInsideEachOtherAllGoOn) {
    const thalweg::Loop loop;
    const virtual_time time;
    constexpr int many = 200;
    std::string log;
    int returned = 0;
    const std::function<void()> plain = [&] { wait(pause_for(1s)); };
    for (int i = 0; i < many; ++i)
        [](const std::function<void()> &waits, int &count) -> tamed<> {
            co_await pause_for(1ms);
            waits();
            ++count;
        }(plain, returned);
    wait(pause_for(10s));
    EXPECT_EQ(returned, many);
}

// ---- waits that can't end ----

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_A_THREAD_OF_ITS_OWN
#endif
#endif

// Those that other tests have ended may take a moment to be gone. False: never alone.
bool is_alone() {
#ifdef HAS_A_THREAD_OF_ITS_OWN
    return false;
#else
    while (detail::has_other_threads())
        std::this_thread::yield();
    return true;
#endif
}

TEST(Wait, ThatCantEndIsToldOfWithTheEventsPlace) {
    if (!is_alone())
        GTEST_SKIP();
    const Told told;
    const thalweg::Loop loop;
    rendezvous<> r;
    const event<> forgotten = mkevent(r);
    constexpr unsigned line = __LINE__ - 1;
    EXPECT_THROW(wait(r), wait_error);
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::cannot_end);
    EXPECT_EQ(Told::reports[0].event.line(), line);
    EXPECT_EQ(Told::reports[0].rendezvous.line(), line + 2);
    r.cancel();
}

tamed<> waits(gather &all) { co_await all; }

TEST(Wait, ForAFunctionThatCantGoOnIsToldOfWithItsOwnPlace) {
    if (!is_alone())
        GTEST_SKIP();
    const Told told;
    const thalweg::Loop loop;
    gather all;
    const event<> kept = mkevent(all);
    EXPECT_THROW(wait(waits(all)), wait_error);
    EXPECT_EQ(Told::reports.at(0).event.line(), unsigned{__LINE__ - 1});
    kept.trigger();
}

TEST(Wait, ThatATimerOrACallOrADescriptorMayEndIsNotToldOf) {
    const Told told;
    const thalweg::Loop loop;
    rendezvous<> r;
    timer(1ms, mkevent(r));
    wait(r);
    tfork([] { std::this_thread::sleep_for(1ms); }, mkevent(r));
    wait(r);
    wait_on_fd(1, interest::writable, mkevent(r));
    wait(r);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Wait, ThatAnotherThreadMayEndIsNotToldOf) {
    const Told told;
    thalweg::Loop loop;
    gather all;
    const event<> sent = mkevent(all);
    std::thread other([&] {
        std::this_thread::sleep_for(2ms);
        loop.post([&] { sent.trigger(); });
    });
    wait(all);
    other.join();
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Wait, ForAFunctionThatEndsWhereItWaitsThrows) {
    const Told told;
    const thalweg::Loop loop;
    auto all = std::make_unique<gather>();
    const event<> kept = mkevent(*all);
    thalweg::Event<> event("ends it");
    event.bind([&] { all.reset(); });
    event.post();
    EXPECT_THROW(wait(waits(*all)), wait_error);
}

// ---- from another thread ----

// A thread with a loop that runs.
class Server {
  public:
    Server() : thread_([this] { run(); }) {
        while (!loop)
            std::this_thread::yield();
    }
    ~Server() { thread_.join(); }
    // In its thread: the loop is gone as soon as it is stopped.
    void stop() const {
        loop.load()->post([own = loop.load()] { own->stop(); });
    }
    std::atomic<thalweg::Loop *> loop = nullptr;

  private:
    void run() {
        thalweg::Loop own;
        loop = &own;
        own.run();
    }
    std::thread thread_;
};

tamed<> fails_soon() {
    co_await pause_for(1ms);
    throw std::runtime_error("no");
}

tamed<std::thread::id> tells_its_thread() {
    co_await pause_for(1ms);
    co_return std::this_thread::get_id();
}

TEST(WaitIn, RunsInTheLoopsThreadAndGivesItsResultHere) {
    Server server;
    EXPECT_NE(wait_in(*server.loop, tells_its_thread), std::this_thread::get_id());
    wait_in(*server.loop, [] { return pause_for(1ms); });
    server.stop();
}

TEST(WaitIn, ThrowsWhatIsThrownThere) {
    Server server;
    EXPECT_THROW(wait_in(*server.loop, fails_soon), std::runtime_error);
    server.stop();
}

TEST(WaitIn, ThrowsWhereTheLoopIsGoneBefore) {
    Server server;
    const auto stops = [&] {
        server.loop.load()->stop();
        return pause_for(1h);
    };
    EXPECT_THROW(wait_in(*server.loop, stops), wait_error);
}

TEST(WaitIn, InTheLoopsOwnThreadIsAPlainWait) {
    thalweg::Loop loop;
    const virtual_time time;
    thalweg::Loop inner;
    wait_in(inner, [] { return pause_for(1us); });
    EXPECT_EQ(time.elapsed(), 0ns);
}

}  // namespace
