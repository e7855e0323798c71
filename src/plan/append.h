// plan: decisions behind those that a plan has.
#pragma once

#include <vector>

#include "model/plan.h"

namespace thalweg::plan {

// Numbered from the plan's largest number on, in their order; as many as fit a plan.
void append(std::vector<model::Decision> made, model::Plan &plan);

}  // namespace thalweg::plan
