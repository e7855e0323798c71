// transform: what a raise does before its loop moves behind the guards, so that a compiled path tests before it does anything.
#pragma once

#include "llvm/IR/BasicBlock.h"

#include "transform/event/guard.h"

namespace llvm {
class Loop;
}

namespace thalweg::transform {

// How a raise comes to its loop: from `top`, whose last test is the first that looks at the event, through `chain` (each
// block with one predecessor, the last one the loop's preheader).
struct RaiseEntry {
    llvm::BasicBlock *top = nullptr;  // null: another shape; the fronts then stay where the loop begins
    std::vector<llvm::BasicBlock *> chain;
    bool asks_for_null = false;  // whether the event may be a null pointer before it is tested
    PathFlags flags;  // what is known of the event's flags when the loop begins
};

RaiseEntry find_entry(const llvm::Loop &loop, const llvm::Value *core);

// The same for a list that is walked between two pointers: `top` asks whether they are equal.
RaiseEntry find_list_entry(const llvm::Loop &loop);

// Whether a line with this first front block asks, before it reads anything, for a length that is not 0.
bool tests_length_first(const RaiseEntry &entry, const llvm::BasicBlock *front);

// Moves the guards in front of the prologue.
// Before: tests of the event, prologue (the frame), fronts, then a line or the original loop.
// After: fronts; then a copy of the prologue without the tests, and the line; or else the tests, the prologue and the original loop.
// `original`: the block that leads to the loop when no front holds.
void move_fronts_up(const RaiseEntry &entry, llvm::BasicBlock *original, llvm::ArrayRef<FrontedLine> lines);

}  // namespace thalweg::transform
