// transform: a residual function without what LLVM takes out at once.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform::specializer {

// Locals of unfolded layers become values, tests that are made twice are made once. LLVM would do this too, but whether a function is small
// enough to be put into its place is asked before.
void tidy(llvm::Function &function);

}  // namespace thalweg::transform::specializer
