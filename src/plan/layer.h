// plan: which functions become code for the values that their generic places kept to, and why the others do not.
#pragma once

#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Adds a decision for each function that generic code is best entered by, applied or refused, numbered after those that the
// plan has, by falling gain. Growth counts together with that of the plan's other decisions.
void plan_layers(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan);

}  // namespace thalweg::plan
