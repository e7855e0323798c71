// settle: what an optimised program remembers of its plan.
#include <gtest/gtest.h>

#include "settle/kept.h"

namespace thalweg::settle {
namespace {

using model::Decision;
using model::Verdict;

Decision decision(uint32_t id, Verdict verdict, uint32_t parent = 0) {
    Decision one;
    one.id = id;
    one.verdict = verdict;
    one.parent = parent;
    one.event = "event";
    one.site.function = "f";
    const std::vector<model::PlannedTarget> targets = {{"handler", "", 0, 0}};
    one.work = parent == 0 ? model::Work(model::Merge{targets}) : model::Subsume{targets};
    one.reason = "why";
    one.guard = "what is tested";
    return one;
}

std::vector<uint32_t> numbers(const model::Plan &plan) {
    std::vector<uint32_t> found;
    for (const Decision &one : plan.decisions)
        found.push_back(one.id);
    return found;
}

TEST(Kept, is_what_is_applied_and_what_that_is_a_part_of) {
    model::Plan plan;
    plan.decisions = {decision(1, Verdict::refuse), decision(2, Verdict::refuse), decision(3, Verdict::apply, 2),
                      decision(4, Verdict::apply)};
    const model::Plan kept = kept_plan(plan, {});
    EXPECT_EQ(numbers(kept), (std::vector<uint32_t>{2, 3, 4}));
    EXPECT_TRUE(validate(kept));
    EXPECT_EQ(kept.decisions.front().reason, "");
    EXPECT_EQ(kept.decisions.front().guard, "");
}

TEST(LightRefusals, are_counted_and_what_would_have_gained_most_stays) {
    model::Plan plan;
    for (uint32_t id = 1; id <= 6; ++id) {
        plan.decisions.push_back(decision(id, id == 3 ? Verdict::apply : Verdict::refuse, id == 3 ? 2 : 0));
        plan.decisions.back().refusal = id == 3 ? "" : id == 6 ? "varies" : "too-cold";
        plan.decisions.back().weight = id;
    }
    plan.decisions[0].predicted_gain_total_ms = 1;
    plan.left_out = {{"too-cold", 10}};
    const model::Plan light = without_light_refusals(plan, 2);
    EXPECT_EQ(numbers(light), (std::vector<uint32_t>{1, 2, 3, 6}));
    EXPECT_EQ(light.left_out, (std::vector<model::CountedRefusals>{{"too-cold", 12}}));
    const auto again = model::read_plan(model::write_plan(light));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, light);
    EXPECT_EQ(without_light_refusals(light, 20), light);
}

TEST(Kept, is_not_what_was_not_asked_for) {
    model::Plan plan;
    plan.decisions = {decision(1, Verdict::apply), decision(2, Verdict::apply)};
    EXPECT_EQ(numbers(kept_plan(plan, {2})), (std::vector<uint32_t>{2}));
    EXPECT_EQ(numbers(kept_plan(model::Plan(), {})), std::vector<uint32_t>());
}

}  // namespace
}  // namespace thalweg::settle
