// graph: two profiles held against each other by names, so that they may be of different builds.
#pragma once

#include "model/profile.h"
#include "model/profile_diff.h"

namespace thalweg::graph {

// Shares that differ by less than this are the same: two runs of one program differ by more than nothing, and a change
// below one in a thousand moves no decision.
inline constexpr double smallest_change = 0.001;

model::ProfileDiff diff(const model::Profile &before, const model::Profile &after);

}  // namespace thalweg::graph
