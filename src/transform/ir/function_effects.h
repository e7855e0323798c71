// transform: drops attributes about a function's effects (memory, synchronisation, capture), which are wrong once code was added to it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace thalweg::transform {

// From the function and from the direct calls of it.
void forget_effects(llvm::Function &function);

// The same, and from all its transitive callers.
void forget_effects_of_callers(llvm::Function &function);
void forget_effects_of_callers(llvm::ArrayRef<llvm::Function *> functions);

}  // namespace thalweg::transform
