// recorder: which calls are timed, and what is made of the readings.
#include "recorder/call_timer.h"

#include <set>

#include <gtest/gtest.h>

namespace thalweg::recorder {
namespace {

constexpr CallClock clock{true, 20};

TEST(CallTimer, GivesTheTimeBetweenAndTheTimeInsideWithoutTheClocksOwn) {
    CallTimer timer{};
    returned(timer, 1000);
    entered(timer, 3, 1150);
    const CallTimes times = take_times(timer, 3, 1470, clock);
    EXPECT_TRUE(times.any);
    EXPECT_EQ(times.between_ns, 130u);
    EXPECT_TRUE(times.returned);
    EXPECT_EQ(times.inside_ns, 300u);
    EXPECT_FALSE(take_times(timer, 3, 2000, clock).any) << "taken";
}

TEST(CallTimer, WhatTakesLessThanTheClockTakesNothing) {
    CallTimer timer{};
    returned(timer, 1000);
    entered(timer, 3, 1019);
    EXPECT_EQ(take_times(timer, 3, 1030, clock).between_ns, 0u);
}

TEST(CallTimer, ACallThatHasNotReturnedHasNoTimeInside) {
    CallTimer timer{};
    returned(timer, 1000);
    entered(timer, 3, 1150);
    const CallTimes times = take_times(timer, 3, 0, clock);
    EXPECT_TRUE(times.any);
    EXPECT_FALSE(times.returned);
}

TEST(CallTimer, OfAnotherCallThanTheOneThatWasEnteredNothingIsKnown) {
    CallTimer timer{};
    returned(timer, 1000);
    entered(timer, 3, 1150);
    EXPECT_FALSE(take_times(timer, 4, 1470, clock).any) << "a signal's handler, in the middle of the call";
    EXPECT_FALSE(take_times(timer, 3, 1470, clock).any) << "the call that it interrupted";
}

TEST(CallTimer, WithoutTheReturnOfTheOneBeforeNothingIsKnown) {
    CallTimer timer{};
    entered(timer, 3, 1150);
    EXPECT_FALSE(take_times(timer, 3, 1470, clock).any);
}

TEST(CallTimer, AClockThatWentBackTellsNothing) {
    CallTimer timer{};
    returned(timer, 1000);
    entered(timer, 3, 900);
    EXPECT_FALSE(take_times(timer, 3, 1470, clock).any);
    returned(timer, 1000);
    entered(timer, 3, 1100);
    EXPECT_FALSE(take_times(timer, 3, 1050, clock).returned);
}

TEST(CallTimer, TimesTheFirstAndThenOneInSixtyFourAtNoFixedDistance) {
    CallTimer timer{};
    for (uint32_t i = 0; i < timed_at_first; ++i)
        EXPECT_TRUE(times_next(timer));
    std::set<uint32_t> distances;
    uint32_t timed = 0, last = 0;
    for (uint32_t i = 1; i <= 64000; ++i)
        if (times_next(timer)) {
            if (timed++ != 0)
                distances.insert(i - last);
            last = i;
        }
    EXPECT_GT(timed, 900u);
    EXPECT_LT(timed, 1100u);
    EXPECT_GT(distances.size(), 32u);
}

TEST(CallClock, IsOfUseWhereAReadingIsShortAndItsStepsAreShorter) {
    const uint64_t good[] = {1000, 1030, 1055, 9000, 9025};
    EXPECT_TRUE(clock_of(good, 5).usable);
    EXPECT_EQ(clock_of(good, 5).cost_ns, 25u);
    const uint64_t coarse[] = {1000, 1000, 1000, 5000, 5000};
    EXPECT_FALSE(clock_of(coarse, 5).usable);
    const uint64_t slow[] = {1000, 1800, 2700, 3400, 4200};
    EXPECT_FALSE(clock_of(slow, 5).usable);
    EXPECT_FALSE(clock_of(good, 1).usable);
}

}  // namespace
}  // namespace thalweg::recorder
