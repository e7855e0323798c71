// runtime: events put before other events, and events as callbacks of C, as claims.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <link.h>
#include <memory>
#include <search.h>
#include <string>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

TEST(Relays, BindBringsTheValues) {
    const Told told;
    rendezvous<> r;
    int number = 0;
    std::string text;
    const event<> base = bind(event<int, std::string>(mkevent(r, number, text)), 7, "seven");
    EXPECT_EQ(number, 0);
    base.trigger();
    EXPECT_EQ(number, 7);
    EXPECT_EQ(text, "seven");
    EXPECT_TRUE(r.has_occurred());
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, UnbindTakesValuesThatNobodyNeeds) {
    rendezvous<> r;
    const event<int, std::string> base = unbind<int, std::string>(mkevent(r));
    base.trigger(1, "one");
    EXPECT_TRUE(r.has_occurred());
}

TEST(Relays, MapMakesOtherValues) {
    rendezvous<> r;
    std::string text;
    const event<int, int> base =
        map<int, int>(event<std::string>(mkevent(r, text)), [](int a, int b) { return std::to_string(a + b); });
    base.trigger(3, 4);
    EXPECT_EQ(text, "7");
}

TEST(Relays, DistributeTriggersAllThatAreStillWaitedFor) {
    const Told told;
    rendezvous<> one, other, given_up;
    int first = 0, second = 0, third = 0;
    const event<int> base =
        distribute(event<int>(mkevent(one, first)), mkevent(given_up, third), mkevent(other, second));
    given_up.cancel();
    base.trigger(5);
    EXPECT_EQ(first, 5);
    EXPECT_EQ(second, 5);
    EXPECT_EQ(third, 0);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, CancelTriggersTheOuterEventWithFalse) {
    const Told told;
    rendezvous<> r;
    bool came = true;
    int value = 3;
    event<> cancel;
    const event<int> base = add_cancel(cancel, event<bool, int>(mkevent(r, came, value)));
    cancel.trigger();
    EXPECT_FALSE(came);
    EXPECT_EQ(value, 0);
    EXPECT_FALSE(base);
    base.trigger(1);
    EXPECT_EQ(value, 0);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, ThatNobodyCancelsLetTheEventThrough) {
    const Told told;
    rendezvous<> r;
    bool came = false;
    int value = 0;
    event<> cancel;
    const event<int> base = add_cancel(cancel, event<bool, int>(mkevent(r, came, value)));
    cancel = {};
    EXPECT_FALSE(r.has_occurred());
    base.trigger(4);
    EXPECT_TRUE(came);
    EXPECT_EQ(value, 4);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, WithCancelAndWithTimeoutTriggerWhicheverItWas) {
    const Told told;
    const thalweg::Loop loop;
    const virtual_time time;
    rendezvous<int> r;
    int value = 3;
    event<> cancel;
    const event<int> one = with_cancel(cancel, event<int>(mkevent(r, 1, value)));
    cancel.trigger();
    EXPECT_EQ(wait(r), 1);
    const event<int> two = with_timeout(1h, event<int>(mkevent(r, 2, value)));
    EXPECT_EQ(wait(r), 2);
    EXPECT_EQ(time.elapsed(), 1h);
    const event<int> three = with_timeout(1h, event<int>(mkevent(r, 3, value)));
    three.trigger(9);
    EXPECT_EQ(wait(r), 3);
    EXPECT_EQ(value, 9);
    EXPECT_EQ(time.elapsed(), 1h);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, GoIntoEachOther) {
    rendezvous<> r;
    std::string text;
    event<> cancel;
    const event<> base = bind(
        map<int>(with_cancel(cancel, event<std::string>(mkevent(r, text))), [](int n) { return std::to_string(n); }),
        8);
    base.trigger();
    EXPECT_EQ(text, "8");
}

TEST(Relays, EndWhenNobodyWaitsAnyMore) {
    const Told told;
    event<> bound, cancel;
    event<int> mapped, cancelled;
    {
        rendezvous<> r;
        int value = 0;
        bool came = false;
        bound = bind(event<int>(mkevent(r, value)), 1);
        mapped = map<int>(event<int>(mkevent(r, value)), [](int n) { return n; });
        cancelled = add_cancel(cancel, event<bool, int>(mkevent(r, came, value)));
        r.cancel();
    }
    EXPECT_FALSE(bound);
    EXPECT_FALSE(mapped);
    EXPECT_FALSE(cancelled);
    EXPECT_FALSE(cancel);
    mapped.trigger(1);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Relays, ThatNobodyCanTriggerAnyMoreTellOfTheOuterEvent) {
    const Told told;
    gather all;
    constexpr unsigned line = __LINE__ + 2;
    int value = 0;
    event<> base = bind(event<int>(mkevent(all, value)), 1);
    base = {};
    EXPECT_FALSE(all.is_pending());
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::never_triggered);
    EXPECT_EQ(Told::reports[0].event.line(), line);
}

TEST(Relays, OfNoEventAreNone) {
    EXPECT_FALSE(bind(event<int>(), 1));
    EXPECT_FALSE(unbind<int>(event<>()));
    EXPECT_FALSE(map<int>(event<int>(), [](int n) { return n; }));
    event<> cancel;
    EXPECT_FALSE(with_cancel(cancel, event<int>()));
    EXPECT_FALSE(cancel);
}

// ---- callbacks of C ----

TEST(Callback, TakesTheContextFromTheEnd) {
    rendezvous<> r;
    dl_phdr_info *first = nullptr;
    // The C library's list of loaded objects; 1 ends the walk.
    c_callback<int (*)(dl_phdr_info *, size_t, void *)> callback{mkevent(r, first), 1};
    EXPECT_EQ(dl_iterate_phdr(callback.function(), callback.context()), 1);
    EXPECT_TRUE(r.has_occurred());
    EXPECT_NE(first, nullptr);
}

TEST(Callback, TriggersOnceHoweverOftenItIsCalled) {
    rendezvous<> r;
    c_callback<int (*)(dl_phdr_info *, size_t, void *)> callback{mkevent(r)};
    EXPECT_EQ(dl_iterate_phdr(callback.function(), callback.context()), 0);
    EXPECT_EQ(dl_iterate_phdr(callback.function(), callback.context()), 0);
    EXPECT_TRUE(r.has_occurred());
    EXPECT_FALSE((wait(r), r.has_occurred()));
}

// The C library walks a tree, and calls with (node, visit, context) on each.
TEST(Callback, ConvertsWhatItIsGiven) {
    void *root = nullptr;
    const int key = 5;
    tsearch(&key, &root, [](const void *, const void *) { return 0; });
    rendezvous<> r;
    const void *node = nullptr;
    long visit = -1;
    c_callback<void (*)(const void *, VISIT, void *)> callback{mkevent(r, node, visit)};
    twalk_r(root, callback.function(), callback.context());
    EXPECT_EQ(**static_cast<const int *const *>(node), 5);
    EXPECT_EQ(visit, long{leaf});
    tdelete(&key, &root, [](const void *, const void *) { return 0; });
}

TEST(Callback, GivenAwayIsFreedByTheLibrary) {
    const Told told;
    gather all;
    const auto kept = std::make_shared<int>(1);
    void *context = nullptr;
    void (*function)(void *) = nullptr;
    {
        c_callback<void (*)(void *)> callback{mkevent(all)};
        function = callback.function();
        context = callback.give_away();
    }
    function(context);
    EXPECT_FALSE(all.is_pending());
    c_callback<void (*)(void *)>::free(context);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Callback, OfOneCallFreesItself) {
    gather all;
    c_callback<void *(*)(void *)> callback{mkevent(all)};
    void *(*function)(void *) = callback.one_call();
    EXPECT_EQ(function(callback.give_away()), nullptr);
    EXPECT_FALSE(all.is_pending());
}

TEST(Callback, ThatIsGoneUncalledTellsOfItsEvent) {
    const Told told;
    gather all;
    {
        const c_callback<void (*)(void *)> callback{mkevent(all)};
    }
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::never_triggered);
}

tamed<> owns(std::unique_ptr<c_callback<void (*)(void *)>> &callback, gather &all) {
    co_await all;
    callback.reset();
}

TEST(Callback, MayBeFreedByWhatItsCallUnblocks) {
    gather all;
    auto callback = std::make_unique<c_callback<void (*)(void *)>>(event<>(mkevent(all)));
    owns(callback, all);
    callback->function()(callback->context());
    EXPECT_FALSE(callback);
}

}  // namespace
