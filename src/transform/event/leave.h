// transform: where a line goes when a guard fails in it: on in the original code, with what the line has computed.
#pragma once

#include <vector>

#include "llvm/IR/Dominators.h"

#include "transform/ir/hot_path.h"
#include "transform/ir/loop_copy.h"

namespace llvm {
class AAResults;
}

namespace thalweg::transform {

llvm::BasicBlock *new_block(const llvm::Twine &name, llvm::BasicBlock *before);
void add_jump(llvm::BasicBlock *from, llvm::BasicBlock *to, const llvm::DebugLoc &location);

// Ends the block with a test: on where it holds, else a leave.
llvm::BranchInst *add_guard(llvm::BasicBlock *block, llvm::Value *holds, llvm::BasicBlock *on, llvm::BasicBlock *leave,
                            const llvm::DebugLoc &location);

// A block that leaves to the beginning of an iteration of the original loop, with this state.
llvm::BasicBlock *leave_block(llvm::BasicBlock *header, llvm::ArrayRef<llvm::Value *> state,
                              const llvm::DebugLoc &location);

// Whether an iteration does something before it comes to `call`: then it can't be begun again. A variable on the stack that is filled for the call
// is filled again with the same.
bool acts_before(const llvm::Loop &loop, llvm::CallBase *call, llvm::AAResults &aliases);

// The leaves of the lines of one loop. An iteration that did nothing yet is begun again by the original loop. Any other goes on in the middle of
// `rest`, a copy of one iteration, from which the original loop takes the next one: so that loop keeps its only entrance.
class Leaves {
  public:
    // `loop`: in simplified form and LCSSA, not copied yet. It and the function outlive this.
    Leaves(llvm::Loop &loop, bool begins_again);

    // A block that leaves this copy of an iteration, which is kept until `connect`, where the loop's instruction `point` was to be executed.
    llvm::BasicBlock *before(const Iteration &copy, llvm::Instruction &point, const llvm::DebugLoc &location);

    // Once, when all leaves are made: what the rest computes with is what the iteration that was left had.
    void connect();

    // Where control may come to from the leaves, but for the loop's header.
    llvm::ArrayRef<llvm::BasicBlock *> ends() const { return ends_; }

  private:
    struct Left {
        llvm::BasicBlock *block;
        const Iteration *copy;
        llvm::Instruction *point;
    };
    void copy_rest();
    llvm::BasicBlock *rest_from(llvm::Instruction &point);
    void repair(llvm::Instruction &original, llvm::Instruction &clone);

    llvm::Loop &loop_;
    bool begins_again_;
    llvm::DominatorTree dominators_;  // of the function as it was
    Iteration rest_;
    llvm::BasicBlock *nowhere_ = nullptr;  // in front of the rest: never executed
    llvm::DenseMap<llvm::Instruction *, llvm::BasicBlock *> begins_;  // of the rest, by point
    std::vector<llvm::BasicBlock *> ends_;
    std::vector<Left> left_;
};

}  // namespace thalweg::transform
