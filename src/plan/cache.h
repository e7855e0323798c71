// plan: of which functions the last results are kept (data specialization), and why not of the others.
#pragma once

#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Adds a decision for each function whose inputs were noted, applied or refused, behind those that the plan has, by falling gain. A
// function may be specialised and have its results kept: then the specialised code is what computes them.
void plan_caches(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan);

}  // namespace thalweg::plan
