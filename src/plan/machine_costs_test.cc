// plan: tests of the costs that were measured on a machine.
#include "plan/machine_costs.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

model::Machine machine_with(double raised_ns) {
    model::Machine machine{.date = "2026-01-31T12:00:00Z", .cpu = "A processor"};
    auto add = [&](const char *name, double ns) {
        machine.costs.push_back({.name = name, .seconds = {ns * 1e-9, ns * 1e-9, ns * 1e-9, 0.96, 6}});
    };
    add("merged-handler", 0.65);
    add("called-handler", 1.2);
    add("raised-handler", raised_ns);
    add("raised-alone", 3.4);
    add("path-tested", 0.875);
    add("system-call", 168);
    add("slots-tested", 1.15);
    return machine;
}

TEST(MachineCosts, the_machine_that_the_built_in_table_is_of_gives_that_table) {
    const Result<CostTable> costs = costs_on(machine_with(3.6));
    ASSERT_TRUE(costs) << costs.error().message;
    const CostTable built_in;
    EXPECT_NEAR(costs->indirect_call_ns, built_in.indirect_call_ns, 1e-9);
    EXPECT_NEAR(costs->merged_call_ns, built_in.merged_call_ns, 1e-9);
    EXPECT_NEAR(costs->path_guard_ns, built_in.path_guard_ns, 1e-9);
    EXPECT_NEAR(costs->slot_guard_ns, built_in.slot_guard_ns, 1e-9);
    EXPECT_NEAR(costs->raise_ns, built_in.raise_ns, 1e-9);
    EXPECT_EQ(costs->first_use_ns, built_in.first_use_ns);
}

TEST(MachineCosts, what_costs_nothing_to_be_told_there_costs_a_little_and_never_less_than_nothing) {
    const Result<CostTable> costs = costs_on(machine_with(1.1));
    ASSERT_TRUE(costs) << costs.error().message;
    EXPECT_GT(costs->indirect_call_ns, 0);
    EXPECT_LT(costs->indirect_call_ns, 0.1);
}

TEST(MachineCosts, what_it_costs_to_ask_for_descriptors_is_taken_from_a_row_that_may_be_missing) {
    model::Machine machine = machine_with(3.6);
    EXPECT_EQ(costs_on(machine)->list_ns, CostTable().list_ns);
    machine.costs.push_back({.name = "list-descriptors", .seconds = {20e-6, 20e-6, 20e-6, 0.96, 6}});
    EXPECT_NEAR(costs_on(machine)->list_ns, 20000 + 40 * 168, 1e-6);
    machine.costs.back().seconds.median = 1e300;
    EXPECT_EQ(costs_on(machine)->list_ns, CostTable().list_ns);
}

TEST(MachineCosts, a_row_that_is_missing_and_a_number_of_no_machine_are_refused_by_name) {
    model::Machine machine = machine_with(3.6);
    machine.costs.pop_back();
    ASSERT_FALSE(costs_on(machine));
    EXPECT_NE(costs_on(machine).error().message.find("slots-tested"), std::string::npos);
    ASSERT_FALSE(costs_on(machine_with(1e300)));
    EXPECT_NE(costs_on(machine_with(1e300)).error().message.find("raised-handler"), std::string::npos);
}

TEST(MachineCosts, the_words_name_date_and_processor) {
    const model::Machine machine = machine_with(3.6);
    EXPECT_EQ(words_of(*costs_on(machine), machine).find("measured 2026-01-31T12:00:00Z on A processor: "), 0u);
}

}  // namespace
}  // namespace thalweg::plan
