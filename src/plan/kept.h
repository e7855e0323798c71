// plan: what an optimised program remembers of the plan that made it.
#pragma once

#include "model/plan.h"

namespace thalweg::plan {

// What its twin needs, which is made by the same decisions once more to count their guards: those to apply that are asked for, and what they
// are parts of, without words. Refusals are most of a plan, and nothing of them is in the program. `only`: numbers; none: all.
model::Plan kept_plan(const model::Plan &plan, const std::vector<uint32_t> &only);

// The plan with so many of its refusals at most, those that would have gained most, and what is applied or a part of that; the others are
// counted. A plan that somebody is to edit is not one of hundreds of functions that nothing can be gained in.
model::Plan without_light_refusals(const model::Plan &plan, size_t most_refusals);

}  // namespace thalweg::plan
