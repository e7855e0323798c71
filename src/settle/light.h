// settle: decisions that save so little of the run that nobody would see it.
#pragma once

#include <cstdint>

#include "model/plan.h"

namespace thalweg::settle {

// Of the recorded run's time, what one decision must save to be seen: the same program differs by one to two hundredths with the order of its link alone
// (Mytkowicz et al., Producing Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009); of the benchmark `board`, decisions on mpg123 that were
// predicted to save 0.3 hundredths cost 2.6, on cJSON 0.04 and 0.3.
inline constexpr double least_part_of_one = 0.005;
// And of one that is made for what it saves together with others: what is foretold of a single one is off by more. Of seven of gawk's that were to save 1.05
// hundredths together those below this saved 0.14, -0.36 and 0.3 instead of 0.08, 0 and 0.04, on another input 0.18 were lost by the first. Of
// twenty of redis's five are left by it, which save as much as all.
inline constexpr double least_part_of_any = 0.001;

// Refuses decisions whose gain is lost in the noise of code placement. A decision that generates code also changes layout and inlining around it,
// which alone moves a program's speed by a percent or two. So a decision (together with its children) is refused if it saves less than 0.5 % of the
// recorded run, unless all such decisions together save 1 % or more.
// Exempt: system calls, whose kernel time is not counted here, and caches, which leave the function's code as it is.
// `tried`: how many instructions the recorded run executed (0, not counted: nothing is refused), and of which layers the gain was counted.
// `instruction_ns`: what an executed IR instruction takes.
void refuse_light(model::Plan &plan, const model::Outcome &tried, double instruction_ns);

}  // namespace thalweg::settle
