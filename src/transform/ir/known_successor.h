// transform: where a terminator goes when the value that it asks about is known.
#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"

namespace thalweg::transform {

// The value that a conditional branch or a switch asks about; null for any other terminator.
llvm::Value *asked_by(const llvm::Instruction &terminator);

// Where a terminator of which `asked_by` gives a value goes with `value`.
llvm::BasicBlock *known_successor(const llvm::Instruction &terminator, const llvm::APInt &value);

}  // namespace thalweg::transform
