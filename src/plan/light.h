// plan: decisions that save so little of the run that nobody would see it.
#pragma once

#include <cstdint>

#include "model/plan.h"

namespace thalweg::plan {

// Refuses decisions whose gain is lost in the noise of code placement. A decision that generates code also changes layout and inlining around it,
// which alone moves a program's speed by a percent or two. So a decision (together with its children) is refused if it saves less than 0.5 % of the
// recorded run, unless all such decisions together save 1 % or more.
// Exempt: system calls, whose kernel time is not counted here, and caches, which leave the function's code as it is.
// `tried`: how many instructions the recorded run executed (0, not counted: nothing is refused), and of which layers the gain was counted.
void refuse_light(model::Plan &plan, const model::Outcome &tried);

}  // namespace thalweg::plan
