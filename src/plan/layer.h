// plan: which functions become code for the values that their generic places kept to, and why the others do not.
#pragma once

#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Adds a decision, applied or refused, for each specialisation root: the function at which it pays most to enter generic code. New decisions are
// numbered after those already in the plan, by falling gain. The growth bound is for all decisions of the plan together.
void plan_layers(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan);

}  // namespace thalweg::plan
