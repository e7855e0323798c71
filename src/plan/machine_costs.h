// plan: the planner's costs as they were measured on one machine.
#pragma once

#include <string>

#include "base/result.h"
#include "model/machine.h"
#include "plan/cost_table.h"

namespace thalweg::plan {

// The built-in table with what a machine's rows say of calls, guards and raises in it. An error where a row is missing, or where the
// numbers are those of no machine.
Result<CostTable> costs_on(const model::Machine &machine);

// What a plan says of the costs that it was made with.
std::string words_of(const CostTable &costs, const model::Machine &machine);

}  // namespace thalweg::plan
