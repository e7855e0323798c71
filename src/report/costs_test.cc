// report: which event costs most, and what is said to be done about it.
#include "report/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::report {
namespace {

using testing::ElementsAre;

TEST(Costs, go_by_an_events_own_time_and_not_by_its_raises) {
    const model::Profile profile{.events = {{.name = "untimed", .raises = 9000},
                                            {.name = "often", .raises = 1000, .time = {9, 5000, 10, 50, 10}},
                                            {.name = "dear", .raises = 10, .time = {9, 900, 10, 900, 10}},
                                            {.name = "rare and untimed", .raises = 1}}};
    EXPECT_TRUE(has_times(profile));
    EXPECT_THAT(dearest_first(profile), ElementsAre(2u, 1u, 0u, 3u));
}

TEST(Costs, that_nobody_timed_go_by_raises) {
    const model::Profile profile{.events = {{.name = "few", .raises = 1}, {.name = "many", .raises = 10}}};
    EXPECT_FALSE(has_times(profile));
    EXPECT_THAT(dearest_first(profile), ElementsAre(1u, 0u));
}

TEST(Costs, never_look_as_if_they_had_been_measured) {
    EXPECT_EQ(estimated_time(1234, 45), "~1.23 us ±45 ns");
    EXPECT_EQ(estimated_time(12, 0), "~12 ns ±0 ns");
    EXPECT_EQ(estimated_time(3'000'000'000, model::unknown_error), "~3 s");
}

model::Decision decision(uint32_t id, const char *event, model::Verdict verdict, const char *reason) {
    model::Decision one{.id = id, .verdict = verdict, .event = event};
    one.refusal = verdict == model::Verdict::refuse ? "rebinds" : "";
    one.reason = reason;
    return one;
}

TEST(WhatWasDone, is_said_in_one_line_by_the_decision_that_did_most) {
    const model::Plan plan{.decisions = {decision(1, "A", model::Verdict::refuse, "it changed. Often."),
                                         decision(2, "A", model::Verdict::apply, "always the same"),
                                         decision(3, "B", model::Verdict::apply, "always the same"),
                                         decision(4, "C", model::Verdict::refuse, "it changed. Often.")}};
    const model::Outcome outcome{.decisions = {{2, true, "3 targets merged", 10}, {3, false, "no such loop", 0}}};
    EXPECT_EQ(what_was_done("A", plan, &outcome), "applied (merge): 3 targets merged");
    EXPECT_EQ(what_was_done("B", plan, &outcome), "not applied (merge): no such loop");
    EXPECT_EQ(what_was_done("C", plan, &outcome), "refused (rebinds): it changed");
    EXPECT_EQ(what_was_done("D", plan, &outcome), "no decision");
    EXPECT_EQ(what_was_done("B", plan, nullptr), "planned (merge): always the same");
}

TEST(WhatWasDone, is_not_said_by_a_layer_that_has_no_event) {
    model::Plan plan{.decisions = {decision(1, "", model::Verdict::apply, "known")}};
    plan.decisions[0].work = model::Specialize{};
    EXPECT_EQ(what_was_done("", plan, nullptr), "no decision");
}

}  // namespace
}  // namespace thalweg::report
