// driver: the costs that a plan is made with.
#pragma once

#include <string>

#include "base/result.h"
#include "plan/caching.h"
#include "plan/cost_table.h"

namespace thalweg::driver {

struct PlanCosts {
    plan::CostTable table;
    std::string words;  // as the plan says them; empty: the built-in ones
};

inline constexpr const char *built_in_costs = "built-in";

// `asked`: a measurement's file, which must fit; built_in_costs; or nothing: what `thalweg machine` stored, where it is of this
// processor and fits, else the built-in ones.
Result<PlanCosts> plan_costs(const std::string &asked);

// What system calls cost: as `thalweg machine` stored it, where it is of this processor and fits, else the built-in costs.
plan::CallCosts call_costs();

}  // namespace thalweg::driver
