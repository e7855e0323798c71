// transform: what is written to a frame or to arguments that the line itself never reads.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform {

// Writes to a local object are removed where nobody reads it or learns its address before its lifetime ends. Where that is so on
// one side of the branch that follows alone, they move to the other side: a raise's arguments, when its line has the values.
//
// LLVM's DSE does the first; it gives up after some ten stores and blocks (MemorySSAUpwardsStepLimit), which a line has.
void remove_dead_lifetimes(llvm::Function &function);

}  // namespace thalweg::transform
