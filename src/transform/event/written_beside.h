// transform: what a program writes beside a function's address.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform {

// The constant that the program stores `distance` bytes from each place where it stores the function's address; null if stores differ or can't all be
// seen. A function object, for example, holds its invoker beside its manager. The result is a guess of what lies in a list's slot beside the recorded
// function: the caller must test it.
llvm::Constant *written_beside(const llvm::Function &function, int64_t distance);

}  // namespace thalweg::transform
