// settle: plans after all that they ask for was tried.
#include "settle/settle.h"

#include <gtest/gtest.h>

namespace thalweg::settle {
namespace {

using model::Verdict;

constexpr double instruction_ns = 0.17;
// 100 ms at 0.17 ns.
constexpr uint64_t executed = 588'235'294;

model::Plan plan_of_two() {
    model::Plan plan;
    for (const uint32_t id : {1, 2}) {
        model::Decision one;
        one.id = id;
        one.work = model::Specialize{};
        one.weight = 1000;
        one.predicted_gain_ns = 50000;
        one.predicted_gain_total_ms = 50;
        plan.decisions.push_back(one);
    }
    return plan;
}

model::Outcome outcome_of(bool is_second_made, uint64_t saved_by_second) {
    return {.decisions = {{.decision = 1, .applied = true, .saved_instructions = executed / 10},
                          {.decision = 2,
                           .applied = is_second_made,
                           .reason = "no end in sight",
                           .saved_instructions = saved_by_second}},
            .executed_instructions = executed};
}

model::Plan settled(const model::Outcome &outcome) {
    model::Plan plan = plan_of_two();
    settle(plan, outcome, instruction_ns);
    return plan;
}

TEST(Settle, refuses_what_could_not_be_made_in_the_optimisers_words) {
    const model::Outcome outcome = outcome_of(false, 0);
    const model::Plan plan = settled(outcome);
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::refuse);
    EXPECT_EQ(plan.decisions[1].refusal, word(model::RefusalKind::does_not_fit));
    EXPECT_EQ(plan.decisions[1].reason, "no end in sight");
    EXPECT_FALSE(made_in_vain(plan, outcome));
}

TEST(Settle, foretells_what_was_made_as_it_came_out) {
    const model::Outcome outcome = outcome_of(true, executed / 10);
    const model::Plan plan = settled(outcome);
    EXPECT_NEAR(plan.decisions[0].predicted_gain_total_ms, 10, 0.01);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_FALSE(made_in_vain(plan, outcome));
}

TEST(Settle, refuses_what_was_made_and_saves_too_little_which_was_in_vain) {
    const model::Outcome outcome = outcome_of(true, executed / 10000);
    const model::Plan plan = settled(outcome);
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].refusal, word(model::RefusalKind::too_light));
    EXPECT_TRUE(made_in_vain(plan, outcome));
}

}  // namespace
}  // namespace thalweg::settle
