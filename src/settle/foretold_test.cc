// settle: the gains of layers that were made on trial.
#include "settle/foretold.h"

#include <gtest/gtest.h>

namespace thalweg::settle {

namespace {

constexpr double instruction_ns = 0.17;

// A layer (2) around another one (3), half of whose million entries come from there.
model::Plan plan_of_layers() {
    model::Decision outer;
    outer.id = 2;
    outer.work = model::Specialize{};
    model::Decision inner = outer;
    inner.id = 3;
    inner.parent = 2;
    inner.growth_instructions = 700;
    inner.weight = 1000000;
    inner.predicted_gain_ns = 100;
    inner.predicted_gain_total_ms = 50;
    return {.decisions = {outer, inner}};
}

model::Outcome outcome_of(bool outer, bool inner, uint64_t saved) {
    model::Outcome outcome;
    outcome.decisions.push_back({.decision = 2, .applied = outer});
    outcome.decisions.push_back(
        {.decision = 3, .applied = inner, .growth_instructions = 90, .saved_instructions = saved});
    return outcome;
}

model::Decision foretold(const model::Outcome &outcome) {
    model::Plan plan = plan_of_layers();
    foretell_by_outcome(plan, outcome, instruction_ns);
    return plan.decisions[1];
}

}  // namespace

TEST(foretold, a_layer_saves_what_its_run_would_not_execute) {
    const double ns = 50 * instruction_ns;
    EXPECT_NEAR(foretold(outcome_of(true, true, 50000000)).predicted_gain_ns, ns, 1e-3);
    EXPECT_NEAR(foretold(outcome_of(true, true, 50000000)).predicted_gain_total_ms, ns / 2, 1e-3);
}

TEST(foretold, a_layer_has_all_its_entries_where_none_is_made_around_it) {
    const double ns = 50 * instruction_ns;
    EXPECT_NEAR(foretold(outcome_of(false, true, 50000000)).predicted_gain_total_ms, ns, 1e-3);
    EXPECT_NEAR(foretold(outcome_of(false, true, 0)).predicted_gain_total_ms, 100, 1e-3);
}

TEST(foretold, a_layer_asks_for_the_room_that_it_took) {
    EXPECT_EQ(foretold(outcome_of(true, true, 0)).growth_instructions, 90);
    EXPECT_EQ(foretold(outcome_of(true, false, 0)).growth_instructions, 700);
}

TEST(foretold, of_what_nothing_was_counted_the_gain_stays) {
    for (const model::Outcome &outcome :
         {outcome_of(true, true, 0), outcome_of(true, false, 50000), model::Outcome()}) {
        EXPECT_EQ(foretold(outcome).predicted_gain_ns, 100);
        EXPECT_EQ(foretold(outcome).predicted_gain_total_ms, 50);
    }
}

}  // namespace thalweg::settle
