// transform: writes the code that keeps what a function computed.
#pragma once

#include "llvm/IR/Module.h"

#include "transform/cache_footprint.h"
#include "transform/guard_counter.h"

namespace thalweg::transform::cache {

// The function compares its inputs with those of its last computation in the same thread; where they are equal, it gives the kept results,
// else it computes by the body that it had. `footprint` must be the function's own, and not refused. Gives how many instructions were added.
uint32_t keep_results(llvm::Function &function, const Footprint &footprint, uint32_t decision, GuardCounter &counter);

}  // namespace thalweg::transform::cache
