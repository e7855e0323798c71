// plan: tests of which functions results are kept, each refusal with the neighbour that is not refused.
#include "plan/cache.h"
#include "plan/cost_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Decision;
using model::NotedComputation;
using model::Plan;
using model::Profile;
using testing::HasSubstr;

// A key schedule of 2,000 instructions, entered 10,000 times, nearly always with the same key.
struct Program {
    Program() {
        profile.instructions = 100000;
        profile.functions = {{{"set_key", 7, 90, {"key.c", 8, 0}, {}}, 10000}};
        profile.computations = {{{0, 2000, 16, 256}, 1000, 990}};
    }
    NotedComputation &noted() { return profile.computations.front(); }
    Profile profile;
};

Plan plan_of(const Profile &profile, const Bounds &bounds = {}) {
    Plan plan;
    plan_caches(profile, {}, bounds, plan);
    return plan;
}

std::string refusal(const Plan &plan) {
    if (plan.decisions.empty())
        return "no decision";
    const Decision &decision = plan.decisions.front();
    EXPECT_TRUE(model::validate(plan));
    EXPECT_EQ(decision.verdict == model::Verdict::apply, decision.refusal.empty());
    return decision.refusal.empty() ? "applied" : decision.refusal;
}

TEST(Cache, keeps_results_where_inputs_stay_the_same) {
    const Program program;
    const Plan plan = plan_of(program.profile);
    EXPECT_EQ(refusal(plan), "applied");
    const Decision &decision = plan.decisions.front();
    EXPECT_EQ(decision.kind(), model::DecisionKind::cache);
    EXPECT_EQ(decision.site.function, "set_key");
    EXPECT_EQ(decision.weight, 10000);
    EXPECT_DOUBLE_EQ(decision.share, 0.99);
    EXPECT_GT(decision.predicted_gain_ns, 0);
    EXPECT_THAT(decision.reason, HasSubstr("990 of 1000 entries"));
}

TEST(Cache, comes_behind_what_the_plan_has_already) {
    const Program program;
    Plan plan;
    plan.decisions.push_back({.id = 3, .site = {.function = "set_key"}, .work = model::Specialize{}});
    plan_caches(program.profile, {}, {}, plan);
    ASSERT_EQ(plan.decisions.size(), 2);
    EXPECT_EQ(plan.decisions.back().id, 4);
}

TEST(Cache, decides_by_falling_gain) {
    Program program;
    program.profile.functions.push_back({{"set_long_key", 8, 90, {}, {}}, 10000});
    program.profile.computations.push_back({{1, 4000, 16, 256}, 1000, 990});
    const Plan plan = plan_of(program.profile);
    ASSERT_EQ(plan.decisions.size(), 2);
    EXPECT_EQ(plan.decisions[0].site.function, "set_long_key");
    EXPECT_EQ(plan.decisions[1].site.function, "set_key");
}

TEST(Refusal, inputs_change) {
    Program program;
    program.noted().same = 200;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
    program.noted().same = 10;
    EXPECT_EQ(refusal(plan_of(program.profile)), "inputs-change");
}

TEST(Refusal, costs_no_more_where_comparing_and_copying_takes_as_long) {
    Program program;
    program.noted().of.instructions = 200;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
    program.noted().of.result_bytes = 4000;
    EXPECT_EQ(refusal(plan_of(program.profile)), "costs-no-more");
}

TEST(Refusal, too_cold_where_it_runs_seldom_or_nothing_is_known) {
    Program program;
    program.noted().of.instructions = 1000;
    program.profile.functions.front().entries = 1;
    EXPECT_EQ(refusal(plan_of(program.profile)), "too-cold");
    program.profile.functions.front().entries = 10;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
    EXPECT_EQ(refusal(plan_of(program.profile, {.eta = 11})), "too-cold");
    program.noted().notes = program.noted().same = min_notes_of_computation - 1;
    EXPECT_EQ(refusal(plan_of(program.profile)), "too-cold");
}

// Layers are given all the room that there is, and mostly take a part.
TEST(Cache, has_its_room_from_the_largest_layer) {
    const Program program;
    Plan plan;
    for (const uint32_t growth : {100u, 19900u})
        plan.decisions.push_back({.id = growth, .work = model::Specialize{}, .growth_instructions = growth});
    plan_caches(program.profile, {}, {}, plan);
    ASSERT_EQ(plan.decisions.size(), 3);
    EXPECT_EQ(plan.decisions[2].verdict, model::Verdict::apply);
    EXPECT_EQ(plan.decisions[0].growth_instructions, 100);
    EXPECT_EQ(plan.decisions[1].growth_instructions, 19900 - kept_growth);
}

TEST(Refusal, too_large_where_the_program_may_not_grow) {
    const Program program;
    EXPECT_EQ(refusal(plan_of(program.profile, {.max_growth_percent = 0.01})), "too-large");
    EXPECT_EQ(refusal(plan_of(program.profile, {.max_growth_percent = 1})), "applied");
}

TEST(Refusal, body_changed_where_the_profile_knows_two) {
    Program program;
    program.profile.functions.push_back({{"set_key", 9, 90, {}, {}}, 10});
    EXPECT_EQ(refusal(plan_of(program.profile)), "body-changed");
}

TEST(Cache, decides_nothing_about_what_was_never_entered) {
    Program program;
    program.profile.functions.front().entries = 0;
    EXPECT_EQ(refusal(plan_of(program.profile)), "no decision");
}

}  // namespace
}  // namespace thalweg::plan
