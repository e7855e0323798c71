// transform: copies of a loop's blocks: one as a loop, or several, one an iteration, in a straight line.
#pragma once

#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Loop;
}

namespace thalweg::transform {

// The blocks of one iteration, in the order of the loop's. `state` holds what the header's phis are on entry, in their order.
struct Iteration {
    std::vector<llvm::BasicBlock *> blocks;
    llvm::BasicBlock *header = nullptr;
    llvm::BasicBlock *latch = nullptr;
    std::vector<llvm::CallBase *> calls;  // copies of the calls asked for
    std::vector<llvm::Value *> state;
    llvm::DenseMap<const llvm::Instruction *, llvm::Value *> values;  // of the loop's instructions: their copies
};

// The copy of the loop's block.
llvm::BasicBlock *block_in(const Iteration &copy, const llvm::Loop &loop, const llvm::BasicBlock *block);

struct StraightLine {
    std::vector<Iteration> iterations;
    std::vector<llvm::Value *> end_state;  // of the header's phis after the last iteration
};

// `count` iterations, one after the other. The last one goes on to the original loop's header, with its state; every exit
// of the loop is an exit of each copy. The first copy starts with `entry_state`; its header has no predecessor yet.
// Needs: simplified form, LCSSA, nothing in it that can't be duplicated.
StraightLine copy_iterations(llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls, unsigned count,
                             const std::vector<llvm::Value *> &entry_state);

// One copy that is a loop itself, entered from `preheader` (which must end in an unconditional branch to be replaced by
// the caller): its header's phis take the original preheader's values for it.
Iteration copy_loop(llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls, llvm::BasicBlock *preheader);

// Adds a predecessor to a loop's header: the values that its phis have when entered from `from`.
void enter_loop(llvm::BasicBlock *header, llvm::BasicBlock *from, llvm::ArrayRef<llvm::Value *> state);

// The values that the header's phis have when entered from the preheader.
std::vector<llvm::Value *> entry_state(const llvm::Loop &loop);

}  // namespace thalweg::transform
