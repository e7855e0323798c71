// plan: all that is planned for a program, part by part.
#pragma once

#include <vector>

#include "model/graphs.h"
#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Lines, layers, caches and system calls. `independent`: the user's word for remote calls.
model::Plan plan_program(const model::Profile &profile, const model::Graphs &graphs, const CostTable &costs,
                         const Bounds &bounds, const std::vector<model::IndependentCalls> &independent = {});

}  // namespace thalweg::plan
