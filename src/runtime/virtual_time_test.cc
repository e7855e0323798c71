// runtime: virtual time, as claims.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

#include <thalweg/compose.h>
#include <thalweg/event.h>
#include <thalweg/loop.h>
#include <thalweg/tame.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;
using real_clock = std::chrono::steady_clock;

tamed<> sleeps(std::string &log, std::chrono::nanoseconds time, std::string word) {
    co_await pause_for(time);
    log += word;
}

TEST(VirtualTime, HoursPassInNoTimeAndInOrder) {
    thalweg::Loop loop;
    const auto begin = real_clock::now();
    const virtual_time time;
    std::string log;
    sleeps(log, 2h, "two ");
    sleeps(log, 1h, "one ");
    sleeps(log, 100h, "hundred");
    loop.run_once();
    EXPECT_EQ(log, "one ");
    EXPECT_EQ(time.elapsed(), 1h);
    loop.run_once();
    loop.run_once();
    EXPECT_EQ(log, "one two hundred");
    EXPECT_EQ(time.elapsed(), 100h);
    EXPECT_LT(real_clock::now() - begin, 1min);
}

TEST(VirtualTime, DoesNotPassWhereTheLoopDoesNotWait) {
    thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    sleeps(log, 1us, "passed");
    std::this_thread::sleep_for(1ms);
    loop.poll();
    EXPECT_EQ(log, "");
    EXPECT_EQ(time.elapsed(), 0ns);
}

TEST(VirtualTime, AppliesToTimeoutsAndDelayedRaises) {
    thalweg::Loop loop;
    const virtual_time time;
    thalweg::Event<int> later("later");
    int raised = 0;
    later.bind([&](int value) { raised = value; });
    later.post_after(30min, 7);
    rendezvous<> r;
    bool in_time = true;
    const event<> answer = add_timeout(1h, event<bool>(mkevent(r, in_time)));
    while (answer)
        loop.run_once();
    EXPECT_EQ(raised, 7);
    EXPECT_FALSE(in_time);
    EXPECT_EQ(time.elapsed(), 1h);
}

TEST(VirtualTime, AppliesToPatternsWithALimit) {
    thalweg::Loop loop;
    const virtual_time time;
    thalweg::Event<> one("one"), two("two");
    thalweg::Sequence both("both", 10min, one, two);
    int seen = 0;
    both.bind([&] { ++seen; });
    one.raise();
    two.post_after(11min);
    loop.run_once();
    EXPECT_EQ(seen, 0) << "too late";
    one.raise();
    two.post_after(9min);
    loop.run_once();
    EXPECT_EQ(seen, 1);
}

TEST(VirtualTime, DescriptorsComeBeforeTheJump) {
    thalweg::Loop loop;
    const virtual_time time;
    const int fd = eventfd(1, EFD_NONBLOCK);
    thalweg::Event<int, unsigned> readable("readable");
    readable.bind([&](int ready, unsigned) {
        uint64_t count = 0;
        EXPECT_EQ(read(ready, &count, sizeof(count)), ssize_t{sizeof(count)});
    });
    loop.watch_fd(fd, THALWEG_READABLE, readable);
    std::string log;
    sleeps(log, 1h, "later");
    loop.run_once();
    EXPECT_EQ(time.elapsed(), 0ns);
    EXPECT_EQ(log, "");
    loop.run_once();
    EXPECT_EQ(time.elapsed(), 1h);
    close(fd);
}

TEST(VirtualTime, DoesNotJumpWhileItIsHeld) {
    thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    sleeps(log, 1h, "timer");
    std::thread other;
    {
        const virtual_time_hold hold;
        other = std::thread([&] {
            std::this_thread::sleep_for(2ms);
            loop.post([&] { log += "answer "; });
        });
        while (log.empty())
            loop.run_once();
        EXPECT_EQ(log, "answer ");
        EXPECT_EQ(time.elapsed(), 0ns);
    }
    other.join();
    loop.run_once();
    EXPECT_EQ(log, "answer timer");
}

TEST(VirtualTime, WhenItEndsTimersKeepTheTimeThatIsLeft) {
    thalweg::Loop loop;
    std::string log;
    {
        const virtual_time time;
        sleeps(log, 1h, "hour ");
        loop.run_once();
        sleeps(log, 2ms, "soon ");
        sleeps(log, 1h, "not yet");
    }
    const auto begin = real_clock::now();
    loop.run_once();
    EXPECT_EQ(log, "hour soon ");
    EXPECT_GE(real_clock::now() - begin, 1ms);
    EXPECT_EQ(loop.poll(), 0u);
}

TEST(VirtualTime, WithinAnotherGoesOnWithIt) {
    thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    {
        const virtual_time inner;
        sleeps(log, 1h, "one ");
        loop.run_once();
        EXPECT_EQ(inner.elapsed(), 1h);
    }
    sleeps(log, 1h, "two");
    loop.run_once();
    EXPECT_EQ(log, "one two");
    EXPECT_EQ(time.elapsed(), 2h);
}

TEST(VirtualTime, IsOfOneLoopOnly) {
    thalweg::Loop loop;
    const virtual_time time;
    const auto begin = real_clock::now();
    {
        thalweg::Loop inner;
        std::string log;
        sleeps(log, 2ms, "passed");
        inner.run_once();
        EXPECT_EQ(log, "passed");
    }
    EXPECT_GE(real_clock::now() - begin, 2ms);
    EXPECT_EQ(time.elapsed(), 0ns);
}

}  // namespace
