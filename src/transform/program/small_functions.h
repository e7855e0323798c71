// transform: small functions that the recorded run called are inlined and simplified in front of link-time optimisation.
#pragma once

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace thalweg::transform {

// As clang's own PGO does per unit, from callees to callers; what a call was inlined into is simplified before it is inlined itself. The kept bitcode was
// inlined without counts, by guesses: each case of a large switch is rare, so what an interpreter's operations call stays a call. Link-time
// optimisation inlines by the counts, but simplifies last of all, when the interpreter is one function, too large for LLVM's search for known loads
// (docs/decisions/small-functions.md). `module` has its counts; nothing of ours may look for sites in it any more.
void inline_small_functions(llvm::Module &module, llvm::ModuleAnalysisManager &manager, llvm::OptimizationLevel level);

}  // namespace thalweg::transform
