// transform: a part of a function that the specialiser evaluates instead of the whole function: a line of a dispatch site.
#pragma once

#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform::specializer {

struct Part {
    llvm::BasicBlock *entry = nullptr;
    // Where its ways end: not evaluated, and without phis.
    llvm::SmallPtrSet<llvm::BasicBlock *, 8> ends;
    // What is computed before it and read in it.
    std::vector<llvm::Instruction *> inputs;
};

}  // namespace thalweg::transform::specializer
