// transform: gives each caller its own copy of a dispatch loop that several share, so that the profile tells them apart.
#pragma once

#include <vector>

#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// Inlines small functions that hold a dispatch loop into their direct callers. The same module gives the same result, in
// the recording link and in the optimising one.
void expand_dispatchers(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

// The functions that may get a copy of this one's body so; none: it is not small, or holds no dispatch loop.
std::vector<llvm::Function *> takers_of_copies(llvm::Function &function);

}  // namespace thalweg::transform
