// plan: calls of the C library that print or read are written in place.
#pragma once

#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// A decision for each recorded call that can be, the dearest first, behind the plan's others; applied or refused.
void plan_output(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan);

}  // namespace thalweg::plan
