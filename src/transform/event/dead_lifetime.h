// transform: what is written to a frame or to arguments that the line itself never reads.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform {

// Removes dead stores to local objects: those that nobody reads, and whose address does not escape, before the object's lifetime ends. Sinks stores
// that are dead on one side of the following branch into the other side: so the arguments of a raise are stored only where the line is not taken.
//
// LLVM's DSE does the first, but gives up after some ten stores and blocks (MemorySSAUpwardsStepLimit), and a line has more.
void remove_dead_lifetimes(llvm::Function &function);

}  // namespace thalweg::transform
