// transform: writes the code that keeps what a function computed.
#pragma once

#include "llvm/IR/Module.h"

#include "transform/cache/footprint.h"
#include "transform/ir/guard_counter.h"

namespace thalweg::transform::cache {

// Bytes of each thread's own memory that it takes to keep this, with what lies between one piece and the next.
uint64_t kept_bytes(const llvm::Function &function, const Footprint &footprint);

// The function compares its inputs with those of its last computation in the same thread; where they are equal, it gives the kept results,
// else it computes by the body that it had. `footprint` must be the function's own, and not refused. Gives how many instructions were added.
uint32_t keep_results(llvm::Function &function, const Footprint &footprint, uint32_t decision, GuardCounter &counter);

}  // namespace thalweg::transform::cache
