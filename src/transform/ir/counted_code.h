// transform: code in which LLVM's counting intrinsics stand, seen without them.
#pragma once

#include <cstdint>

#include "llvm/IR/Function.h"

namespace thalweg::transform {

// How many instructions a function has besides those that count and those that stand on an edge which was split to be counted.
uint32_t instructions_without_counters(const llvm::Function &function);
// Whether a variable is of the counters and none of the program's.
bool is_counters_own(const llvm::GlobalVariable &variable);

}  // namespace thalweg::transform
