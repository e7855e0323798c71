// recorder: whose time is measured, and what is no part of it.
#include "recorder/dispatch_timer.h"

#include <gtest/gtest.h>

namespace thalweg::recorder {
namespace {

// A timer whose clock costs 10 ns a reading; every dispatch is timed.
struct Timed {
    Timed() {
        timer.is_usable = true;
        timer.cost_ns = 10;
        timer.stands_for = 1;
    }
    DispatchTimer timer{};
};

TEST(DispatchTimer, counts_what_the_program_ran_and_not_what_the_recorder_did) {
    Timed timed;
    const Timing timing = begin_timing(timed.timer, 1);
    EXPECT_TRUE(is_timing(timed.timer));
    resume(timed.timer, 1000);
    pause(timed.timer, 1110);  // a probe begins
    resume(timed.timer, 5000);
    pause(timed.timer, 5060);
    EXPECT_EQ(time_of(timed.timer, timing), 150) << "100 and 50, without the clock's own";
}

TEST(DispatchTimer, tells_the_inner_dispatch_from_the_outer_one) {
    Timed timed;
    const Timing outer = begin_timing(timed.timer, 1);
    resume(timed.timer, 0);
    pause(timed.timer, 110);
    timed.timer.stands_for = 64;
    const Timing inner = begin_timing(timed.timer, 2);
    resume(timed.timer, 200);
    pause(timed.timer, 240);
    EXPECT_EQ(time_of(timed.timer, inner), 30);
    EXPECT_EQ(inner.stands_for, 64u);
    close_timings(timed.timer, 1);
    EXPECT_TRUE(is_timing(timed.timer)) << "the outer one is open";
    EXPECT_EQ(time_of(timed.timer, outer), 130);
    close_timings(timed.timer, 0);
    EXPECT_FALSE(is_timing(timed.timer));
}

TEST(DispatchTimer, does_not_time_what_stands_for_nothing_or_has_no_clock) {
    Timed timed;
    timed.timer.stands_for = 0;
    EXPECT_EQ(begin_timing(timed.timer, 1).stands_for, 0u);
    EXPECT_FALSE(is_timing(timed.timer));
    timed.timer.stands_for = 1;
    timed.timer.is_usable = false;
    EXPECT_EQ(begin_timing(timed.timer, 1).stands_for, 0u);
    EXPECT_FALSE(is_timing(timed.timer));
}

TEST(DispatchTimer, lets_two_of_a_sample_stand_for_what_passed_before_it_the_second_for_most) {
    SampleTimes sample{81, 0};
    EXPECT_EQ(take_part(sample), 11u);
    EXPECT_EQ(take_part(sample), 70u);
    EXPECT_EQ(take_part(sample), 0u);
    EXPECT_EQ(take_part(sample), 0u);
}

// A note that takes 100 ns between two readings of the clock, measured if it is not estimated.
bool note_once(DispatchTimer &timer, uint64_t &now, uint64_t takes_ns = 100) {
    if (estimates_note(timer)) {
        pass_over_note(timer);
        return false;
    }
    pause(timer, now);
    now += takes_ns;
    resume(timer, now);
    learn_note(timer);
    return true;
}

TEST(DispatchTimer, measures_the_first_notes_and_of_the_others_one_in_sixteen) {
    Timed timed;
    timed.timer.reading_ns = 4;
    const Timing timing = begin_timing(timed.timer, 1);
    uint64_t now = 1000;
    resume(timed.timer, now);
    for (uint32_t i = 0; i < pauses_measured; ++i)
        EXPECT_TRUE(note_once(timed.timer, now));
    EXPECT_EQ(timed.timer.notes.mean_ns, 100);
    pause(timed.timer, now);
    const int64_t before = time_of(timed.timer, timing);
    resume(timed.timer, now);
    uint32_t measured = 0;
    constexpr uint32_t notes = 160;
    for (uint32_t i = 0; i < notes; ++i) {
        now += 50;  // the program
        const bool is_measured = note_once(timed.timer, now);
        measured += is_measured;
        now += is_measured ? 10 : 102;  // what a note takes without its readings, of which the cost holds one
    }
    EXPECT_EQ(measured, notes / mean_gap_pauses);
    pause(timed.timer, now + 10);
    EXPECT_EQ(time_of(timed.timer, timing) - before, notes * 50);
    close_timings(timed.timer, 0);
    timed.timer.stands_for = 1;
    begin_timing(timed.timer, 1);
    EXPECT_TRUE(note_once(timed.timer, now)) << "another dispatch: its own first ones are measured again";
}

TEST(DispatchTimer, does_not_take_what_once_took_long_for_what_a_note_takes) {
    Timed timed;
    uint64_t now = 1000;
    resume(timed.timer, now);
    for (uint32_t i = 0; i < pauses_measured; ++i)
        note_once(timed.timer, now);
    while (!note_once(timed.timer, now, 1'000'000))
        ;
    EXPECT_LE(timed.timer.notes.mean_ns, 100 + pause_at_most * 100 / 8);
}

TEST(DispatchTimer, takes_what_nothing_took_most_often_for_its_own_cost) {
    int64_t times[nothings];
    for (uint32_t i = 0; i < nothings; ++i)
        times[i] = i % 3 == 0 ? 5000 : 20 + i % 2;  // now and then another process ran
    const int64_t cost = cost_of(times);
    EXPECT_GE(cost, 20);
    EXPECT_LE(cost, 21);
}

TEST(DispatchTimer, takes_as_much_too_little_as_too_much_for_nothing) {
    Timed timed;
    const Timing timing = begin_timing(timed.timer, 1);
    resume(timed.timer, 1000);
    pause(timed.timer, 1007);
    EXPECT_EQ(time_of(timed.timer, timing), -3);
    resume(timed.timer, 2000);
    pause(timed.timer, 2013);
    pause(timed.timer, 9000);  // it stands still already
    EXPECT_EQ(time_of(timed.timer, timing), 0);
}

// One segment of 5 ms and one of 100 ns; others had the processor for 4 ms.
Usage preempted_once(Timed &timed) {
    begin_timing(timed.timer, 1);
    take_off_preemption(timed.timer, {1000, 0, 7, 3});
    resume(timed.timer, 1000);
    pause(timed.timer, 5'001'010);
    resume(timed.timer, 5'002'000);
    pause(timed.timer, 5'002'110);
    return {5'003'000, 1'002'000, 8, 3};
}

TEST(DispatchTimer, does_not_take_what_others_had_the_processor_for) {
    Timed timed;
    take_off_preemption(timed.timer, preempted_once(timed));
    EXPECT_EQ(timed.timer.ran_ns, 5'000'000 + 100 - 4'000'000);
    take_off_preemption(timed.timer, {6'000'000, 1'003'000, 9, 3});
    EXPECT_EQ(timed.timer.ran_ns, 1'000'100) << "while the clock stood still";
}

TEST(DispatchTimer, takes_what_a_handler_waits_for) {
    Timed timed;
    Usage waited = preempted_once(timed);
    waited.waited = 4;
    take_off_preemption(timed.timer, waited);
    EXPECT_EQ(timed.timer.ran_ns, 5'000'100);
    Usage ran = waited;
    ran.clock_ns += 1'000'000;  // not preempted since: nothing is known to be taken off
    take_off_preemption(timed.timer, ran);
    EXPECT_EQ(timed.timer.ran_ns, 5'000'100);
}

TEST(DispatchTimer, asks_for_the_cost_where_one_begins_to_be_timed) {
    Timed timed;
    begin_timing(timed.timer, 1);
    EXPECT_TRUE(timed.timer.asks_cost);
    timed.timer.stands_for = 0;
    begin_timing(timed.timer, 2);
    EXPECT_FALSE(timed.timer.asks_cost);
}

}  // namespace
}  // namespace thalweg::recorder
