// transform: guards, and how those of a whole path come to stand at its front (DESIGN, law 3).
#pragma once

#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"

#include "transform/event/path_table.h"
#include "transform/ir/hot_path.h"

namespace thalweg::transform {

// A conditional branch that goes on while a recorded fact holds, and whose successor number `leave` is taken otherwise.
struct Guard {
    llvm::BranchInst *branch = nullptr;
    unsigned leave = 1;
    llvm::Value *core = nullptr;  // the event that is tested; null: a slot of some list is tested
    uint32_t path = 0;  // the event's compiled path; 0: only that there is an event
};

// A guard in a copy of its branch: what is marked is found again.
void mark(const Guard &guard);
std::vector<Guard> marked_guards(llvm::ArrayRef<llvm::BasicBlock *> blocks);

// A straight line under construction: `front` is the block before it, ending in the branch into it.
struct FrontedLine {
    llvm::BasicBlock *front = nullptr;  // ends in a branch to `entry`, before gathering to `otherwise` too
    llvm::BasicBlock *entry = nullptr;  // the line's first block
    llvm::BasicBlock *otherwise = nullptr;  // where a test at the front goes when it fails; has no phis
    Stops stops;
};

// Moves every guard to the front whose test reads nothing that the line before it can change, and which may be tested
// early without doing what the original would not do. Tests that move are removed from the line.
// Tests of several events with known addresses become one test of a version word.
void gather_guards(FrontedLine &line, std::vector<Guard> guards, PathTable &paths, llvm::AAResults &aliases);

}  // namespace thalweg::transform
