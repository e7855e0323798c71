// plan: decisions that save so little of the run that nobody would see it.
#pragma once

#include <cstdint>

#include "model/plan.h"

namespace thalweg::plan {

// Refuses decisions that make code anew where each of them, with what belongs to it, saves less than a two-hundredth of the recorded run, and all of
// these together less than a hundredth. How fast a program's code is changes by more when it is laid out and compiled in another way, which
// such a decision does as well. `executed_instructions`: of the run, as counted; 0, nothing is refused. Of system calls nothing is said (the
// kernel's time is not in it), nor of caches, which leave the code as it is.
void refuse_light(model::Plan &plan, uint64_t executed_instructions);

}  // namespace thalweg::plan
