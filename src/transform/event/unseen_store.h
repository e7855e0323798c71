// transform: frames that nobody can see are taken out.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Function.h"

namespace thalweg::transform {

// Removes a pair of stores that overwrite a location and later restore its old value, if nothing in between reads or writes the location. This
// removes the frame of a raise, pushed and popped around handlers that cannot look at it.
void remove_unseen_stores(llvm::Function &function, llvm::AAResults &aliases);

}  // namespace thalweg::transform
