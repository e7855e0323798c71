// plan: which functions of the C library have their small blocks kept by the program's threads.
#pragma once

#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"
#include "plan/event.h"

namespace thalweg::plan {

// Appends a `reuse` decision for each function that gave small blocks, resized or took them in the recorded run. What takes blocks and what gives them pays
// together or not at all; of which no call was served is refused by itself.
void plan_blocks(const model::Profile &profile, const CostTable &costs, model::Plan &plan);

}  // namespace thalweg::plan
