// transform: what LLVM knows of a function's effects is not true any more when code was added to it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace thalweg::transform {

// Of the function itself and of its direct calls.
void forget_effects(llvm::Function &function);

// And of all that call it, directly or through others.
void forget_effects_of_callers(llvm::Function &function);
void forget_effects_of_callers(llvm::ArrayRef<llvm::Function *> functions);

}  // namespace thalweg::transform
