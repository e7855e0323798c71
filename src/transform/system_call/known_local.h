// transform: whether others may have learned where a local variable is.
#pragma once

#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

// Whether somebody may have its address when the way comes to `place`: a signal's handler would find there what is stored at it. What is
// handed to a call that reads or writes bytes for the program is forgotten when that returns.
bool may_be_known_to_others(const llvm::AllocaInst &local, const llvm::Instruction &place);

}  // namespace thalweg::transform
