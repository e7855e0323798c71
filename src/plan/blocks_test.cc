// plan: which functions have their small blocks kept, and that all of them pay together or not at all.
#include "plan/blocks.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Decision;
using model::DecisionKind;
using model::Verdict;

model::Profile profile_of(uint64_t calls, uint64_t served) {
    model::Profile profile;
    profile.block_calls = {{"free", calls, served}, {"malloc", calls, served}};
    return profile;
}

model::Plan plan_of(const model::Profile &profile) {
    model::Plan plan;
    plan_blocks(profile, {}, plan);
    return plan;
}

TEST(PlanBlocks, is_a_decision_for_each_function) {
    const model::Plan plan = plan_of(profile_of(1000000, 990000));
    ASSERT_EQ(plan.decisions.size(), 2u);
    for (const Decision &decision : plan.decisions) {
        EXPECT_EQ(decision.kind(), DecisionKind::reuse);
        EXPECT_EQ(decision.verdict, Verdict::apply) << decision.reason;
        EXPECT_EQ(decision.weight, 1000000u);
        EXPECT_DOUBLE_EQ(decision.share, 0.99);
        EXPECT_GT(decision.predicted_gain_total_ms, 0);
    }
    EXPECT_EQ(plan.decisions[0].site.function, "free");
    EXPECT_TRUE(model::validate(plan));
}

TEST(PlanBlocks, refuses_all_where_too_few_calls_are_served) {
    for (const Decision &decision : plan_of(profile_of(1000000, 100000)).decisions) {
        EXPECT_EQ(decision.verdict, Verdict::refuse);
        EXPECT_EQ(decision.refusal, "too-cold");
        EXPECT_NE(decision.reason.find("100,000 of 1,000,000 calls were served"), std::string::npos) << decision.reason;
    }
}

TEST(PlanBlocks, refuses_what_is_called_too_seldom_to_be_loaded) {
    EXPECT_EQ(plan_of(profile_of(100, 100)).decisions[0].verdict, Verdict::refuse);
    EXPECT_EQ(plan_of(profile_of(10000, 10000)).decisions[0].verdict, Verdict::apply);
}

TEST(PlanBlocks, refuses_a_function_of_which_no_call_was_served) {
    model::Profile profile = profile_of(1000000, 990000);
    profile.block_calls.push_back({"realloc", 1, 0});
    const model::Plan plan = plan_of(profile);
    ASSERT_EQ(plan.decisions.size(), 3u);
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[2].site.function, "realloc");
    EXPECT_EQ(plan.decisions[2].refusal, "too-cold");
    EXPECT_NE(plan.decisions[2].reason.find("0 of 1 call were served"), std::string::npos) << plan.decisions[2].reason;
}

TEST(PlanBlocks, has_nothing_to_say_where_nothing_was_counted) {
    EXPECT_TRUE(plan_of({}).decisions.empty());
    EXPECT_TRUE(plan_of(profile_of(0, 0)).decisions.empty());
}

}  // namespace
}  // namespace thalweg::plan
