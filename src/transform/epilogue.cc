// transform: what a raise does after its loop, as part of each line; and frames that nobody can see are taken out.
#include "transform/epilogue.h"

#include <optional>

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Taking a frame off is some three instructions; a longer block is the program's own and is not copied.
constexpr size_t max_epilogue = 16;

bool is_short(const BasicBlock *exit) {
    const auto *branch = dyn_cast<BranchInst>(exit->getTerminator());
    if (!branch || branch->isConditional() || exit->isEHPad() || exit->size() > max_epilogue)
        return false;
    return llvm::none_of(*exit, [](const Instruction &one) { return isa<CallBase, AllocaInst>(one); });
}

class ExitCopy {
  public:
    ExitCopy(BasicBlock *exit, BasicBlock *from) : exit_(exit), from_(from) {}

    void make() {
        copy_ = CloneBasicBlock(exit_, map_, ".line", exit_->getParent());
        for (PHINode &phi : exit_->phis()) {
            auto *clone = cast<PHINode>(map_[&phi]);
            map_[&phi] = phi.getIncomingValueForBlock(from_);
            clone->eraseFromParent();
        }
        remapInstructionsInBlocks({copy_}, map_);
        BasicBlock *next = exit_->getTerminator()->getSuccessor(0);
        for (PHINode &phi : next->phis())
            phi.addIncoming(mapped(phi.getIncomingValueForBlock(exit_)), copy_);
        from_->getTerminator()->replaceSuccessorWith(exit_, copy_);
        for (PHINode &phi : exit_->phis())
            phi.removeIncomingValue(from_, false);
        for (Instruction &value : *exit_)
            repair(value);
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
    BasicBlock *from_;
    BasicBlock *copy_ = nullptr;
    ValueToValueMapTy map_;
};

// The stores to `place` between the load of its value and the store that puts it back, or nothing if somebody might see.
std::optional<SmallVector<StoreInst *, 2>> unseen_between(LoadInst *load, StoreInst *back, AAResults &aliases) {
    const MemoryLocation place = MemoryLocation::get(back);
    SmallVector<StoreInst *, 2> stores;
    for (auto at = std::next(load->getIterator()); &*at != back; ++at) {
        auto *store = dyn_cast<StoreInst>(&*at);
        if (store && store->isUnordered() && aliases.isMustAlias(MemoryLocation::get(store), place) &&
            MemoryLocation::get(store).Size == place.Size)
            stores.push_back(store);
        else if (isModOrRefSet(aliases.getModRefInfo(&*at, place)) || at->mayThrow())
            return std::nullopt;
    }
    return stores;
}

}  // namespace

void copy_exit(const FrontedLine &line, BasicBlock *exit) {
    if (!is_short(exit))
        return;
    const BlockSet hot = reachable({line.entry}, line.stops, true);
    SmallPtrSet<BasicBlock *, 4> before;
    for (BasicBlock *from : predecessors(exit))
        if (hot.contains(from))
            before.insert(from);
    for (BasicBlock *from : hot)
        if (before.contains(from))
            ExitCopy(exit, from).make();
}

void remove_unseen_stores(Function &function, AAResults &aliases) {
    for (BasicBlock &block : function)
        for (Instruction &one : llvm::make_early_inc_range(block)) {
            auto *back = dyn_cast<StoreInst>(&one);
            auto *load = back ? dyn_cast<LoadInst>(back->getValueOperand()) : nullptr;
            if (!load || load->getParent() != &block || !back->isUnordered() || !load->isUnordered() ||
                load->getPointerOperand() != back->getPointerOperand())
                continue;
            const auto stores = unseen_between(load, back, aliases);
            if (!stores)
                continue;
            for (StoreInst *store : *stores)
                store->eraseFromParent();
            back->eraseFromParent();
        }
}

}  // namespace thalweg::transform
