// tests: the build that checks threads (variant.h), as claims: who uses what is another thread's is told, and the program ends; who may, may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <typeinfo>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/thalweg.h>

namespace {

using thalweg::tame::event;
using thalweg::tame::mkevent;

void in_another_thread(const std::function<void()> &use) { std::thread(use).join(); }

// Both in this process and in one that may end.
void expect_told(const std::function<void()> &use, const std::string &words) {
    use();
    EXPECT_EXIT(in_another_thread(use), testing::KilledBySignal(SIGABRT),
                words + " in another thread than its own, which is a data race");
}

void ignore(int) {}

TEST(EventOfAnotherThread, IsNotRaised) {
    thalweg::Event<int> click("Click");
    expect_told([&] { click.raise(1); }, "thalweg: Click was raised");
}

TEST(EventOfAnotherThread, IsNotRaisedByTheCInterface) {
    thalweg_event *click = nullptr;
    ASSERT_EQ(thalweg_event_create(nullptr, "ClickInC", &click), THALWEG_OK);
    expect_told([&] { thalweg_raise(click, nullptr, 0); }, "thalweg: ClickInC was raised");
    thalweg_event_destroy(click);
}

TEST(EventOfAnotherThread, IsNotBoundToNorUnbound) {
    thalweg::Event<int> click("Click");
    expect_told([&] { click.bind<&ignore>(); }, "thalweg: Click was bound to");
    expect_told([&] { click.bind<&ignore>().unbind(); }, "thalweg: Click was bound to");
    thalweg::Binding binding = click.bind<&ignore>();
    EXPECT_EXIT(in_another_thread([&] { binding.unbind(); }), testing::KilledBySignal(SIGABRT),
                "Click was unbound from");
    EXPECT_EXIT(in_another_thread([&] { binding.block(); }), testing::KilledBySignal(SIGABRT),
                "Click had a handler blocked");
}

TEST(EventOfAnotherThread, IsNotPostedNorHaltedNorDeleted) {
    auto *click = new thalweg::Event<int>("Click");
    expect_told([&] { click->post(1); }, "thalweg: Click was posted");
    expect_told([&] { click->halt(); }, "thalweg: Click was halted");
    EXPECT_EXIT(in_another_thread([&] { delete click; }), testing::KilledBySignal(SIGABRT), "Click was deleted");
    delete click;
}

TEST(EventOfAnotherThread, TakesWhatIsPostedToItsLoop) {
    thalweg::Loop loop;
    thalweg::Event<int> click("Click");
    int seen = 0;
    const auto binding = click.bind([&](int value) { seen = value; });
    in_another_thread([&] { click.post_to(loop, 7); });
    in_another_thread([&] { loop.post([&] { click.raise(seen + 1); }); });
    while (seen != 8)
        loop.run_once();
}

TEST(LoopOfAnotherThread, IsNotRunNorGivenWatches) {
    thalweg::Loop loop;
    thalweg::Event<uint64_t> tick("Tick");
    expect_told([&] { loop.poll(); }, "thalweg: a loop was run");
    EXPECT_EXIT(in_another_thread([&] { loop.watch_timer(std::chrono::seconds(1), tick); }),
                testing::KilledBySignal(SIGABRT), "a loop was given a watch");
    in_another_thread([&] { loop.stop(); });
    loop.run();
}

TEST(WhatIsWaitedForInAnotherThread, IsNotTriggered) {
    thalweg::tame::rendezvous<> r;
    int i = 0;
    const event<int> come = mkevent(r, i);
    EXPECT_EXIT(in_another_thread([&] { come.trigger(1); }), testing::KilledBySignal(SIGABRT),
                "an event that is waited for was triggered");
    come.trigger(1);
    EXPECT_EXIT(in_another_thread([&] { come.trigger(2); }), testing::KilledBySignal(SIGABRT),
                "an event that is waited for was triggered");
    EXPECT_EQ(i, 1);
}

TEST(WhatIsWaitedForInAnotherThread, IsNotCopiedNorMadeThere) {
    thalweg::tame::rendezvous<> r;
    const event<> come = mkevent(r);
    EXPECT_EXIT(in_another_thread([&] { const event<> copy = come; }), testing::KilledBySignal(SIGABRT),
                "an event that is waited for was copied");
    EXPECT_EXIT(in_another_thread([&] { const event<> mine = mkevent(r); }), testing::KilledBySignal(SIGABRT),
                "a rendezvous was given an event");
    EXPECT_EXIT(in_another_thread([&] { r.cancel(); }), testing::KilledBySignal(SIGABRT), "a rendezvous was cancelled");
    come.trigger();
}

thalweg::tame::tamed<int> doubled_elsewhere(int value) {
    co_return co_await thalweg::tame::blocking([value] { return 2 * value; });
}

TEST(WhatIsWaitedForInAnotherThread, GoesOnInItsOwn) {
    EXPECT_EQ(thalweg::tame::wait(doubled_elsewhere(21)), 42);
    thalweg::tame::gather all;
    int given = 0;
    tfork([] { return 5; }, mkevent(all, given));
    thalweg::tame::wait(all);
    EXPECT_EQ(given, 5);
}

// Objects of both builds have other names, so that no program is linked of both.
TEST(Variant, StandsInTheNamesOfWhatWaits) {
    EXPECT_THAT(typeid(thalweg::tame::rendezvous<>).name(), testing::HasSubstr("checked"));
    EXPECT_THAT(typeid(event<int>).name(), testing::HasSubstr("checked"));
    EXPECT_THAT(typeid(thalweg::tame::tamed<>).name(), testing::HasSubstr("checked"));
}

}  // namespace
