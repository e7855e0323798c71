// transform: which way a specialised region goes when its guards hold, and which edges leave it for good.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"

namespace thalweg::transform {

using BlockSet = llvm::SmallSetVector<llvm::BasicBlock *, 32>;
using Stops = llvm::SmallPtrSet<llvm::BasicBlock *, 8>;

// Marks the edge from `branch` to its successor number `successor` as one that is taken when a guard fails.
void mark_leave(llvm::Instruction &branch, unsigned successor);
bool is_leave(const llvm::Instruction &branch, unsigned successor);
// A mark of the transform's own that goes along with a branch into copies of it.
void mark_guard(llvm::Instruction &branch, llvm::MDNode *guard);
llvm::MDNode *guard_mark(const llvm::Instruction &branch);
// What is marked on a branch, for a copy of it: the way that leaves, and the guard that it is.
void copy_marks(const llvm::Instruction &branch, llvm::Instruction &copy);
void forget_leaves(llvm::Function &function);

// Branch weights that say: the first successor.
llvm::MDNode *likely(llvm::LLVMContext &context);
// Of a test for the first of so many values that may be expected: one is as likely as another.
llvm::MDNode *one_of(size_t values, llvm::LLVMContext &context);

// Blocks reached from `from` without entering a stop; with `hot_only`, without taking a leaving edge.
BlockSet reachable(llvm::ArrayRef<llvm::BasicBlock *> from, const Stops &stops, bool hot_only);

}  // namespace thalweg::transform
