// plan: the gains of layers that were made on trial.
#include "plan/foretold.h"

#include <gtest/gtest.h>

#include "plan/cost_table.h"

namespace thalweg::plan {

namespace {

using model::Decision;

// Of the run in us, so that rounding leaves something: half of its 1000 entries are from within another layer.
model::Plan plan_of_layer() {
    Decision layer;
    layer.work = model::Specialize{};
    layer.growth_instructions = 700;
    layer.id = 3;
    layer.weight = 1000;
    layer.predicted_gain_ns = 100;
    layer.predicted_gain_total_ms = 50;
    model::Plan plan;
    plan.decisions.push_back(layer);
    return plan;
}

model::Outcome outcome_of(bool applied, uint64_t saved) {
    model::Outcome outcome;
    outcome.decisions.push_back(
        {.decision = 3, .applied = applied, .growth_instructions = 90, .saved_instructions = saved});
    return outcome;
}

}  // namespace

TEST(foretold, a_layer_saves_what_its_run_would_not_execute) {
    model::Plan plan = plan_of_layer();
    foretell_by_outcome(plan, outcome_of(true, 50000));
    const double ns = 50 * CostTable().executed_instruction_ns;
    EXPECT_NEAR(plan.decisions[0].predicted_gain_ns, ns, 1e-3);
    EXPECT_NEAR(plan.decisions[0].predicted_gain_total_ms, 50 * ns / 100, 1e-3);
}

TEST(foretold, a_layer_asks_for_the_room_that_it_took) {
    model::Plan plan = plan_of_layer();
    foretell_by_outcome(plan, outcome_of(true, 0));
    EXPECT_EQ(plan.decisions[0].growth_instructions, 90);
    plan = plan_of_layer();
    foretell_by_outcome(plan, outcome_of(false, 0));
    EXPECT_EQ(plan.decisions[0].growth_instructions, 700);
}

TEST(foretold, of_what_nothing_was_counted_the_gain_stays) {
    for (const model::Outcome &outcome : {outcome_of(true, 0), outcome_of(false, 50000), model::Outcome()}) {
        model::Plan plan = plan_of_layer();
        foretell_by_outcome(plan, outcome);
        EXPECT_EQ(plan.decisions[0].predicted_gain_ns, 100);
        EXPECT_EQ(plan.decisions[0].predicted_gain_total_ms, 50);
    }
}

}  // namespace thalweg::plan
