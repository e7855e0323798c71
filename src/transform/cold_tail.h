// transform: "leave, never rejoin" (DESIGN, law 3): whatever leaves a straight line goes on in a copy of the rest.
#pragma once

#include "transform/hot_path.h"

namespace thalweg::transform {

// After this, no block on the hot path from `entry` (up to the stops) is entered from a block that is not on it: blocks
// that both the hot path and the ways that left it went through are copied for the latter.
void split_cold_tail(llvm::BasicBlock *entry, const Stops &stops);

}  // namespace thalweg::transform
