// record: times of events from those that were timed.
#include "record/build_times.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/limits.h"

namespace thalweg::record {
namespace {

raw::Times times_of(const std::vector<std::pair<double, double>> &weights_and_times) {
    raw::Times sums{};
    for (const auto &[weight, time] : weights_and_times)
        sums.add(weight, time);
    return sums;
}

struct Sample {
    Sample() {
        profile.events = {{.name = "Outer", .raises = 100}, {.name = "Inner", .raises = 300}};
        profile.nestings = {{.parent_event = 0, .child_event = 1, .count = 200}};
    }
    void add(uint32_t event, const raw::Times &whole, const raw::Times &own = {}) {
        builder.add(event, {event, 0, 0, 1, {}, whole, own});
    }
    model::Profile finish() const {
        model::Profile result = profile;
        builder.finish(result);
        return result;
    }
    model::Profile profile;
    TimeBuilder builder;
};

TEST(Times, are_the_mean_of_the_timed_for_all_raises) {
    Sample sample;
    sample.add(1, times_of({{1, 10}, {1, 20}}));
    sample.add(1, times_of({{1, 10}, {1, 20}}));  // of another thread
    const model::EventTime time = sample.finish().events[1].time;
    EXPECT_EQ(time.timed, 4u);
    EXPECT_EQ(time.inside_ns, 300u * 15);
    EXPECT_EQ(time.own_ns, 300u * 15);
    EXPECT_EQ(time.inside_error_ns, 300u * 15 / 2) << "three standard errors of 2.5 ns each";
}

TEST(Times, weigh_what_stands_for_more) {
    Sample sample;
    sample.add(1, times_of({{1, 1000}, {99, 10}, {99, 10}, {1, 1000}}));
    EXPECT_EQ(sample.finish().events[1].time.inside_ns, static_cast<uint64_t>(300 * (2 * 1000 + 2 * 990) / 200));
}

TEST(Times, are_an_events_own_by_the_dispatches_of_which_all_inside_was_noted) {
    Sample sample;
    sample.add(0, times_of({{1, 100}, {1, 900}, {1, 100}, {1, 100}}), times_of({{1, 60}, {1, 60}, {1, 60}, {1, 60}}));
    sample.add(1, times_of({{1, 20}, {1, 20}, {1, 20}, {1, 20}}));
    const model::EventTime time = sample.finish().events[0].time;
    EXPECT_EQ(time.inside_ns, 100u * 300);
    EXPECT_EQ(time.own_ns, 100u * 60);
    EXPECT_EQ(time.own_error_ns, 0u);
}

TEST(Times, are_otherwise_own_without_the_mean_of_what_was_dispatched_inside) {
    Sample sample;
    sample.add(0, times_of({{1, 100}, {1, 100}, {1, 100}, {1, 100}}));
    sample.add(1, times_of({{1, 20}, {1, 20}, {1, 20}, {1, 20}}));
    const model::Profile profile = sample.finish();
    EXPECT_EQ(profile.events[0].time.inside_ns, 100u * 100);
    EXPECT_EQ(profile.events[0].time.own_ns, 100u * 100 - 200 * 20);
    EXPECT_EQ(profile.events[1].time.own_ns, 300u * 20);
}

TEST(Times, are_no_less_than_nothing_where_the_samples_contradict_each_other) {
    Sample sample;
    sample.add(0, times_of({{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
    sample.add(1, times_of({{1, 90}, {1, 110}, {1, 90}, {1, 110}}));
    const model::EventTime time = sample.finish().events[0].time;
    EXPECT_EQ(time.own_ns, 0u);
    EXPECT_GT(time.own_error_ns, 0u);
}

TEST(Times, of_few_or_beside_untimed_ones_are_as_far_off_as_may_be) {
    Sample sample;
    sample.add(0, times_of({{1, 100}, {1, 100}, {1, 100}, {1, 100}}));
    const model::Profile untimed_inside = sample.finish();
    EXPECT_EQ(untimed_inside.events[0].time.inside_error_ns, 0u);
    EXPECT_EQ(untimed_inside.events[0].time.own_error_ns, model::unknown_error);
    sample.add(1, times_of({{1, 10}}));
    EXPECT_EQ(sample.finish().events[1].time.inside_error_ns, model::unknown_error);
}

raw::Times twenty_and(std::initializer_list<std::pair<double, double>> others) {
    std::vector<std::pair<double, double>> all(20, {1, 10});
    all.insert(all.end(), others);
    return times_of(all);
}

TEST(Times, are_not_those_of_a_single_accident) {
    Sample sample;
    sample.add(1, twenty_and({{1, 60000}}));
    EXPECT_EQ(sample.finish().events[1].time.inside_ns, 300u * 10);
    Sample twice;
    twice.add(1, twenty_and({{1, 60000}, {1, 60000}}));
    EXPECT_EQ(twice.finish().events[1].time.inside_ns, 300u * 120200 / 22) << "it does that now and then";
    Sample few;
    few.add(1, times_of({{1, 10}, {1, 10}, {1, 10}, {1, 10}, {1, 60000}}));
    EXPECT_EQ(few.finish().events[1].time.inside_ns, 300u * 60040 / 5) << "too few to tell";
}

TEST(Times, that_cannot_be_are_not_there) {
    raw::Times strange[] = {times_of({{1, 10}}), times_of({{1, 10}}), times_of({{0, 10}}), times_of({})};
    strange[0].times = NAN;
    strange[1].squares = -1;
    for (const raw::Times &times : strange) {
        Sample sample;
        sample.add(1, times);
        EXPECT_EQ(sample.finish().events[1].time, model::EventTime{});
    }
    Sample sample;
    sample.add(1, {UINT64_MAX, 1, 1e300, 1, 1e300, 1e300, 0, 0});
    EXPECT_EQ(sample.finish().events[1].time, model::EventTime{});
    Sample large;
    large.add(1, {UINT64_MAX, 1, 1e150, 1, 1e150, 1e300, 0, 0});
    EXPECT_EQ(large.finish().events[1].time.inside_ns, model::max_count);
}

}  // namespace
}  // namespace thalweg::record
