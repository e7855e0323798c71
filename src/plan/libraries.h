// plan: one plan for a program and its shared libraries, each of which is linked by itself.
#pragma once

#include <string>

#include "model/plan.h"

namespace thalweg::plan {

// Behind the decisions of `plan` those of a library, numbered on.
void append_library(const std::string &library, const model::Plan &planned, model::Plan &plan);
// What of the plan is for the program (empty) or for this library, by the numbers of the whole plan.
model::Plan part_for(const model::Plan &plan, const std::string &library);
// The decisions of a part in place of those of the plan that have their numbers.
void put_back(const model::Plan &part, model::Plan &plan);

}  // namespace thalweg::plan
