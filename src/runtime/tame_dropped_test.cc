// runtime: an event that nobody triggers, and nobody has any more: what becomes of who waits for it.
#include <gtest/gtest.h>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

namespace {

using namespace thalweg::tame;

thread_local int told = 0;

class DroppedEvent : public testing::Test {
  protected:
    DroppedEvent() : before_(set_reporter([](const report &what) { told += what.what == mistake::never_triggered; })) {
        told = 0;
    }
    ~DroppedEvent() override { set_reporter(before_); }

  private:
    reporter before_;
};

tamed<> wait_for(gather &all, bool &goes_on) {
    co_await all;
    goes_on = true;
}

TEST_F(DroppedEvent, IsWaitedForForeverUnlessSaidOtherwise) {
    bool goes_on = false;
    gather all;
    event<> e = mkevent(all);
    const tamed<> waiting = wait_for(all, goes_on);
    e = {};
    EXPECT_FALSE(goes_on);
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(waiting.has_returned());
}

TEST_F(DroppedEvent, HasOccurredWhereThatIsSaid) {
    bool goes_on = false;
    int slot = 7;
    silent<gather> all;
    event<int> e = mkevent(all, slot);
    const tamed<> waiting = wait_for(all, goes_on);
    event<int> copy = e;
    e = {};
    EXPECT_FALSE(goes_on);
    copy = {};
    EXPECT_TRUE(goes_on);
    EXPECT_EQ(slot, 7);
    EXPECT_EQ(told, 0);
    EXPECT_TRUE(waiting.has_returned());
}

TEST_F(DroppedEvent, IsKeptWithItsIdByARendezvous) {
    lenient<rendezvous<int>> r;
    static_cast<void>(mkevent(r, 5));
    EXPECT_EQ(told, 1);
    EXPECT_TRUE(r.has_occurred());
    int id = 0;
    const auto take = [&]() -> tamed<> { id = co_await r; };
    take();
    EXPECT_EQ(id, 5);
}

TEST_F(DroppedEvent, IsNotTriggeredWhenItWasCancelled) {
    lenient<rendezvous<>> r;
    event<> e = mkevent(r);
    r.cancel();
    e = {};
    EXPECT_FALSE(r.has_occurred());
    EXPECT_EQ(told, 0);
}

TEST_F(DroppedEvent, MayOutliveALenientRendezvous) {
    int abandoned = 0;
    static int *count;
    count = &abandoned;
    set_reporter([](const report &what) { *count += what.what == mistake::abandoned; });
    event<> e;
    {
        lenient<rendezvous<>> r;
        e = mkevent(r);
    }
    EXPECT_FALSE(e);
    EXPECT_EQ(abandoned, 0);
    {
        rendezvous<> r;
        e = mkevent(r);
    }
    EXPECT_EQ(abandoned, 1);
}

tamed<> pauses(int &count) {
    co_await pause_for(std::chrono::milliseconds(1));
    ++count;
    co_await pause_for(std::chrono::milliseconds(1));
    ++count;
}

TEST(RunWhilePending, EndsWhenNothingIsToCome) {
    thalweg::Loop loop;
    int count = 0;
    pauses(count);
    run_while_pending();
    EXPECT_EQ(count, 2);
    run_while_pending();
}

TEST(InSeconds, TakesWholeNumbersAndOthers) {
    EXPECT_EQ(in_seconds(2), std::chrono::seconds(2));
    EXPECT_EQ(in_seconds(0.25), std::chrono::milliseconds(250));
    EXPECT_EQ(in_seconds(0), std::chrono::seconds(0));
}

}  // namespace
