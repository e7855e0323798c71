// plan: which system calls become fewer, and why the others do not (paper cassyopia, section 2).
#pragma once

#include <vector>

#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Adds a decision for each system call of the profile for which there is something to do, applied or refused, behind those that the plan
// has, by falling gain.
// `independent`: the user's word for remote calls.
void plan_system_calls(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan,
                       const std::vector<model::IndependentCalls> &independent = {});

}  // namespace thalweg::plan
