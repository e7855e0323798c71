// transform: whether a program may forbid itself system calls while it runs (seccomp).
#pragma once

#include <string>

#include "llvm/IR/Module.h"

#include "knowledge/function.h"

namespace thalweg::transform {

// By what it may install a filter of system calls, as far as its own code shows; empty: by nothing. What it inherits is asked for when it starts
// (crossing/own_calls.h).
std::string filter_maker_in(const llvm::Module &module);

// Whether its first argument is the number of a call that it makes.
bool calls_by_number(const knowledge::Function &function);

}  // namespace thalweg::transform
