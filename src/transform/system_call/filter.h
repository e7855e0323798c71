// transform: whether a program may forbid itself system calls while it runs (seccomp).
#pragma once

#include <string>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// By what it may install a filter of system calls, as far as its own code shows; empty: by nothing. What it inherits is asked for when it starts
// (crossing/own_calls.h).
std::string filter_maker_in(const llvm::Module &module);

}  // namespace thalweg::transform
