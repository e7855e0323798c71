// transform: gives each caller its own copy of a dispatch loop that several share, so that the profile tells them apart.
#pragma once

#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// Inlines small functions that hold a dispatch loop into their direct callers. The same module gives the same result, in
// the recording link and in the optimising one.
void expand_dispatchers(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
