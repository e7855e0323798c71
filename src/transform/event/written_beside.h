// transform: what a program writes beside a function's address.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform {

// The constant that stands `distance` bytes from each place that the program writes the function's address to, as a function
// object's two functions; null when it is not always the same one, or not always seen. A guess for what a list's slot holds beside
// the recorded function: to be tested.
llvm::Constant *written_beside(const llvm::Function &function, int64_t distance);

}  // namespace thalweg::transform
