// transform: what a raise does after its loop, as part of each line.
#include "transform/event/epilogue.h"

#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Taking a frame off is some three instructions; a longer block is the program's own and is not copied.
constexpr size_t max_epilogue = 16;

// Frame off, lifetime ended, on to the rest: no more blocks than that.
constexpr unsigned max_epilogue_blocks = 4;

bool is_short(const BasicBlock *exit) {
    const auto *branch = dyn_cast<BranchInst>(exit->getTerminator());
    if (!branch || branch->isConditional() || exit->isEHPad() || exit->size() > max_epilogue)
        return false;
    return llvm::none_of(*exit, [](const Instruction &one) {
        return (isa<CallBase>(one) && !one.isLifetimeStartOrEnd()) || isa<AllocaInst>(one);
    });
}

// A copy of `exit` for the edges that come from some blocks.
class ExitCopy {
  public:
    ExitCopy(BasicBlock *exit, ArrayRef<BasicBlock *> from) : exit_(exit), from_(from.begin(), from.end()) {}

    BasicBlock *make() {
        copy_ = CloneBasicBlock(exit_, map_, ".line", exit_->getParent());
        remapInstructionsInBlocks({copy_}, map_);
        for (PHINode &phi : copy_->phis())
            for (BasicBlock *before : SmallVector<BasicBlock *, 4>(phi.blocks()))
                if (!is_contained(from_, before))
                    phi.removeIncomingValue(before, false);
        BasicBlock *next = exit_->getTerminator()->getSuccessor(0);
        for (PHINode &phi : next->phis())
            phi.addIncoming(mapped(phi.getIncomingValueForBlock(exit_)), copy_);
        for (BasicBlock *before : from_) {
            before->getTerminator()->replaceSuccessorWith(exit_, copy_);
            for (PHINode &phi : exit_->phis())
                while (phi.getBasicBlockIndex(before) >= 0)
                    phi.removeIncomingValue(before, false);
        }
        for (Instruction &value : *exit_)
            repair(value);
        return copy_;
    }

  private:
    Value *mapped(Value *value) {
        const auto found = map_.find(value);
        return found == map_.end() ? value : static_cast<Value *>(found->second);
    }

    void repair(Instruction &value) {
        if (value.getType()->isVoidTy() || !value.isUsedOutsideOfBlock(exit_))
            return;
        SSAUpdater updater;
        updater.Initialize(value.getType(), value.getName());
        updater.AddAvailableValue(exit_, &value);
        updater.AddAvailableValue(copy_, mapped(&value));
        SmallVector<Use *, 8> uses;
        for (Use &use : value.uses())
            if (cast<Instruction>(use.getUser())->getParent() != exit_ || isa<PHINode>(use.getUser()))
                uses.push_back(&use);
        for (Use *use : uses)
            updater.RewriteUse(*use);
    }

    BasicBlock *exit_;
    SmallVector<BasicBlock *, 4> from_;
    BasicBlock *copy_ = nullptr;
    ValueToValueMapTy map_;
};

}  // namespace

void copy_exit(const FrontedLine &line, BasicBlock *exit) {
    const BlockSet hot = reachable({line.entry}, line.stops, true);
    SmallVector<BasicBlock *, 4> from;
    for (BasicBlock *block : hot)
        if (is_contained(predecessors(exit), block))
            from.push_back(block);
    for (unsigned i = 0; i < max_epilogue_blocks && !from.empty() && is_short(exit); ++i) {
        from = {ExitCopy(exit, from).make()};
        exit = exit->getSingleSuccessor();
    }
}

}  // namespace thalweg::transform
