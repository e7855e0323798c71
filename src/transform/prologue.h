// transform: what a raise does before its loop moves behind the guards, so that a compiled path tests before it does anything.
#pragma once

#include "llvm/IR/BasicBlock.h"

#include "transform/guard.h"

namespace thalweg::transform {

// Before: a test for an empty list, a prologue (the frame), then the fronts, then lines or the original loop. After: the
// fronts first; each line and the original loop have a prologue of their own. `prologue` is the block that ended at the
// loop, `original` the one that leads to the loop when no line's front holds. Does nothing where the shape is another one.
void move_fronts_up(llvm::BasicBlock *prologue, llvm::BasicBlock *original, llvm::ArrayRef<FrontedLine> lines);

}  // namespace thalweg::transform
