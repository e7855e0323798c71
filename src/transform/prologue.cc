// transform: what a raise does before its loop moves behind the guards.
#include "transform/prologue.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A frame's set-up is some six instructions; what is longer is not one.
constexpr size_t max_prologue = 24;

class Prologue {
  public:
    Prologue(BasicBlock *prologue, BasicBlock *original, ArrayRef<FrontedLine> lines)
        : prologue_(prologue), original_(original), lines_(lines), test_(prologue->getSinglePredecessor()) {}

    bool can_move() const {
        if (!test_ || !prologue_->phis().empty() || prologue_->size() > max_prologue)
            return false;
        const auto *branch = dyn_cast<BranchInst>(test_->getTerminator());
        if (!branch || !branch->isConditional() || !isa<BranchInst>(prologue_->getTerminator()))
            return false;
        return llvm::none_of(*prologue_, [](const Instruction &one) { return is_kept(one); }) && fronts_stand_alone();
    }

    void move() {
        BasicBlock *front = prologue_->getTerminator()->getSuccessor(0);
        for (const FrontedLine &line : lines_)
            copy_before(line);
        // test_ -> fronts; what failed them -> the test for an empty list -> the prologue -> the original loop
        BasicBlock *empty_test = test_->splitBasicBlock(test_->getTerminator()->getIterator(), "thalweg.test");
        test_->getTerminator()->setSuccessor(0, front);
        BasicBlock *loop = original_->getTerminator()->getSuccessor(0);
        loop->replacePhiUsesWith(original_, prologue_);
        prologue_->getTerminator()->setSuccessor(0, loop);
        original_->getTerminator()->setSuccessor(0, empty_test);
        for (Instruction &value : *prologue_)
            repair(value);
        sink_into(empty_test);
    }

  private:
    static bool is_kept(const Instruction &one) {
        const auto *call = dyn_cast<CallBase>(&one);
        return isa<AllocaInst>(one) || (call && (call->cannotDuplicate() || call->isConvergent()));
    }

    // No test at the fronts reads what the prologue makes or writes.
    bool fronts_stand_alone() const {
        for (const Instruction &value : *prologue_)
            for (const User *user : value.users())
                if (is_at_front(cast<Instruction>(user)->getParent()))
                    return false;
        return true;
    }

    // The fronts' blocks lie between the prologue and the lines' entries.
    bool is_at_front(const BasicBlock *block) const {
        const BasicBlock *at = prologue_->getTerminator()->getSuccessor(0);
        SmallPtrSet<const BasicBlock *, 8> ends{original_};
        for (const FrontedLine &line : lines_)
            ends.insert(line.entry);
        SmallVector<const BasicBlock *, 8> work{at};
        SmallPtrSet<const BasicBlock *, 8> seen;
        while (!work.empty()) {
            const BasicBlock *next = work.pop_back_val();
            if (ends.contains(next) || !seen.insert(next).second)
                continue;
            if (next == block)
                return true;
            work.append(succ_begin(next), succ_end(next));
        }
        return false;
    }

    void copy_before(const FrontedLine &line) {
        ValueToValueMapTy map;
        BasicBlock *copy = CloneBasicBlock(prologue_, map, ".line", prologue_->getParent());
        remapInstructionsInBlocks({copy}, map);
        copy->getTerminator()->setSuccessor(0, line.entry);
        line.entry->replacePhiUsesWith(line.front, copy);
        line.front->getTerminator()->replaceSuccessorWith(line.entry, copy);
        copy->moveBefore(line.entry);
        copies_.push_back(copy);
        for (Instruction &value : *prologue_)
            if (map.count(&value))
                values_[&value].push_back(cast<Instruction>(map[&value]));
    }

    // What only the test for an empty list needs is computed there; nothing is written between the two places.
    void sink_into(BasicBlock *empty_test) {
        for (Instruction &one : llvm::make_early_inc_range(llvm::reverse(*test_))) {
            if (one.isTerminator() || isa<PHINode, AllocaInst>(one) || one.use_empty())
                continue;
            if (one.mayHaveSideEffects() || !llvm::all_of(one.users(), [&](const User *user) {
                    return cast<Instruction>(user)->getParent() == empty_test && !isa<PHINode>(user);
                }))
                break;
            one.moveBefore(*empty_test, empty_test->getFirstInsertionPt());
        }
    }

    void repair(Instruction &value) {
        if (value.getType()->isVoidTy() || !value.isUsedOutsideOfBlock(prologue_))
            return;
        SSAUpdater updater;
        updater.Initialize(value.getType(), value.getName());
        updater.AddAvailableValue(prologue_, &value);
        for (Instruction *copy : values_[&value])
            updater.AddAvailableValue(copy->getParent(), copy);
        SmallVector<Use *, 8> uses;
        for (Use &use : value.uses())
            if (cast<Instruction>(use.getUser())->getParent() != prologue_ || isa<PHINode>(use.getUser()))
                uses.push_back(&use);
        for (Use *use : uses)
            updater.RewriteUse(*use);
    }

    BasicBlock *prologue_;
    BasicBlock *original_;
    ArrayRef<FrontedLine> lines_;
    BasicBlock *test_;
    SmallVector<BasicBlock *, 4> copies_;
    DenseMap<Instruction *, SmallVector<Instruction *, 4>> values_;
};

}  // namespace

void move_fronts_up(BasicBlock *prologue, BasicBlock *original, ArrayRef<FrontedLine> lines) {
    Prologue mover(prologue, original, lines);
    if (mover.can_move())
        mover.move();
}

}  // namespace thalweg::transform
