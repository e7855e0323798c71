// plan: tests of caching advice: when a cache is worth its upkeep, and when not.
#include "plan/caching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::RepeatedCalls;
using testing::HasSubstr;

RepeatedCalls judged(RepeatedCalls calls, const CallCosts &costs = {}) {
    model::Workload workload;
    workload.repeated = {std::move(calls)};
    judge_caching(workload, costs);
    return workload.repeated[0];
}

RepeatedCalls of(std::string name, uint64_t calls, std::array<uint64_t, 3> hits) {
    return {.name = std::move(name),
            .calls = calls,
            .arguments = calls - hits[2],
            .hits = hits,
            .commonest = {"/etc/hosts", 9}};
}

TEST(Caching, is_advised_with_the_smallest_cache_that_saves_most) {
    EXPECT_EQ(judged(of("stat", 1000, {999, 999, 999})).entries, 1u);
    EXPECT_EQ(judged(of("stat", 1000, {0, 990, 990})).entries, 16u);
    EXPECT_EQ(judged(of("stat", 1000, {0, 300, 990})).entries, 64u);
}

TEST(Caching, tells_what_it_saves_with_its_upkeep_taken_off) {
    const RepeatedCalls calls = judged(of("stat", 1000, {0, 900, 900}));
    EXPECT_EQ(calls.saved_ns, 900u * (1200 - 50) - 100u * 250);
    EXPECT_THAT(calls.why, HasSubstr("save 1.0 ms of 1.2 ms"));
    EXPECT_THAT(calls.why, HasSubstr("others may change it at any time"));
}

TEST(Caching, is_not_advised_where_calls_have_no_locality) {
    const RepeatedCalls calls = judged(of("stat", 1000, {0, 100, 100}));
    EXPECT_EQ(calls.entries, 0u);
    EXPECT_EQ(calls.saved_ns, 0u);
    EXPECT_THAT(calls.why,
                HasSubstr("a cache of 16 would answer 10.0 %: its upkeep (50 ns a hit, 250 a miss) is not worth"));
    EXPECT_THAT(judged(of("stat", 1000, {0, 240, 240})).why, HasSubstr("leaves little of"));
}

TEST(Caching, is_not_advised_where_the_call_is_as_cheap_as_its_upkeep) {
    EXPECT_EQ(judged(of("getpid", 1000, {0, 500, 500})).entries, 0u);
    EXPECT_EQ(judged(of("getpid", 1000, {999, 999, 999})).entries, 1u);
    EXPECT_EQ(judged(of("stat", 1000, {0, 500, 500})).entries, 16u);
}

TEST(Caching, is_not_advised_where_the_result_changed_once) {
    RepeatedCalls calls = of("stat", 1000, {0, 990, 990});
    calls.changed = 1;
    calls.changing = {"/etc/mtab", 1};
    calls = judged(calls);
    EXPECT_EQ(calls.entries, 0u);
    EXPECT_THAT(calls.why, HasSubstr("1 times the same arguments gave something else"));
    EXPECT_THAT(calls.why, HasSubstr("/etc/mtab"));
}

TEST(Caching, of_a_few_calls_is_not_judged) {
    EXPECT_EQ(judged(of("stat", 99, {98, 98, 98})).why, "fewer than 100 calls");
    EXPECT_EQ(judged(of("stat", 100, {99, 99, 99})).entries, 1u);
}

TEST(Caching, of_what_saves_most_is_among_the_ways_out) {
    model::Workload workload;
    workload.repeated = {of("getpid", 1000, {999, 999, 999}), of("openat", 1000, {0, 990, 990}),
                         of("read", 1000, {0, 0, 0})};
    workload.repeated[0].commonest.arguments.clear();
    judge_caching(workload, {});
    ASSERT_EQ(workload.advice.size(), 2u);
    EXPECT_EQ(workload.advice[0].kind, model::AdviceKind::resolve);
    EXPECT_THAT(workload.advice[0].text, HasSubstr("99.0 % of 1000 calls of openat asked for what one of the last 16 "
                                                   "had given, e.g. /etc/hosts: keep the file open, where an old "
                                                   "answer will do; saves"));
    EXPECT_THAT(workload.advice[1].text, HasSubstr("calls of getpid asked for what the last one had given: keep the "
                                                   "answer in a variable; saves"));
}

TEST(Caching, takes_the_costs_of_a_machine_that_was_measured_and_else_the_built_in_ones) {
    model::Machine machine{.date = "2026-01-31T12:00:00Z"};
    machine.costs = {{.name = "open-close", .folder = "/tmp", .group = 8, .seconds = {1, 1, 1, 0.95, 3}},
                     {.name = "open-close", .folder = "/tmp", .seconds = {5e-6, 4e-6, 6e-6, 0.95, 3}},
                     {.name = "fstat", .folder = "/tmp", .seconds = {0, 0, 0, 0.95, 3}}};
    const CallCosts costs = call_costs_on(machine);
    EXPECT_EQ(costs.open_close_ns, 5000);
    EXPECT_EQ(costs.status_ns, CallCosts{}.status_ns);
    EXPECT_EQ(costs.source, "costs measured 2026-01-31T12:00:00Z");
    EXPECT_EQ(call_costs_on({}).source, CallCosts{}.source);
    EXPECT_EQ(judged(of("openat", 1000, {1000, 1000, 1000}), costs).saved_ns, 1000u * (5000 - 8));
}

}  // namespace
}  // namespace thalweg::plan
