// transform: frames that nobody can see are taken out.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Function.h"

namespace thalweg::transform {

// A store to a place whose old value is put back later, and that nothing between reads or writes, is removed, with the
// putting back: a frame pushed around handlers that cannot look at it.
void remove_unseen_stores(llvm::Function &function, llvm::AAResults &aliases);

}  // namespace thalweg::transform
