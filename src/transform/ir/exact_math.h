// transform: floating point that the link must not compute, because what the program would have computed is another number.
#pragma once

#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// A link sees constants that no file saw by itself, and LLVM computes with them. What is exact comes out as it would in the program; two things don't:
// `a * b + c` that may be computed in one step, which a processor without such an instruction does in two; and functions of the C library whose results
// LLVM takes from the library of the machine that links, in another precision. The first become a product and a sum, the second are no builtins any more.
void keep_inexact_math(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
