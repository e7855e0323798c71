// transform: what a raise does after its loop, as part of each line; and frames that nobody can see are taken out.
#include "transform/epilogue.h"

#include <optional>

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include "transform/watch.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Taking a frame off is some three instructions; a longer block is the program's own and is not copied.
constexpr size_t max_epilogue = 16;

// Frame off, lifetime ended, on to the rest: no more blocks than that.
constexpr unsigned max_epilogue_blocks = 4;
// A line longer than this is not searched for a frame to take out.
constexpr size_t max_blocks_between = 256;

bool is_lifetime_mark(const Instruction &one) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&one);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

bool is_short(const BasicBlock *exit) {
    const auto *branch = dyn_cast<BranchInst>(exit->getTerminator());
    if (!branch || branch->isConditional() || exit->isEHPad() || exit->size() > max_epilogue)
        return false;
    return llvm::none_of(*exit, [](const Instruction &one) {
        return (isa<CallBase>(one) && !is_lifetime_mark(one)) || isa<AllocaInst>(one);
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

// What can run between a load and a store that puts the loaded value back. The load dominates the store, so this is all
// that leads to the store without coming through the load again: a loop around the store alone is part of it.
class Between {
  public:
    Between(LoadInst *load, StoreInst *back) : load_(load), back_(back) {
        if (load->getParent() != back->getParent())
            blocks_ = leading_to(back->getParent(), load->getParent());
    }

    bool small() const { return blocks_.size() < max_blocks_between; }

    // Whether everything that begins at the load comes to the store.
    bool closed() const {
        if (load_->getParent() == back_->getParent())
            return true;
        const auto stays = [&](BasicBlock *block) {
            return llvm::all_of(successors(block),
                                [&](BasicBlock *next) { return next == back_->getParent() || blocks_.contains(next); });
        };
        return stays(load_->getParent()) && llvm::all_of(blocks_, stays);
    }

    template <class Visit>
    bool all(Visit visit) const {
        auto at = std::next(load_->getIterator());
        for (; at != load_->getParent()->end() && &*at != back_; ++at)
            if (!visit(*at))
                return false;
        if (at != load_->getParent()->end())
            return true;
        for (BasicBlock *block : blocks_)
            for (Instruction &one : *block)
                if (!visit(one))
                    return false;
        for (at = back_->getParent()->begin(); &*at != back_; ++at)
            if (!visit(*at))
                return false;
        return true;
    }

  private:
    // Stops growing at the limit; small() says so.
    static BlockSet leading_to(BasicBlock *to, BasicBlock *stop) {
        BlockSet found;
        const auto add_predecessors = [&](BasicBlock *block) {
            for (BasicBlock *before : predecessors(block))
                if (before != stop)
                    found.insert(before);
        };
        add_predecessors(to);
        for (size_t i = 0; i < found.size() && found.size() < max_blocks_between; ++i)
            add_predecessors(found[i]);
        return found;
    }

    LoadInst *load_;
    StoreInst *back_;
    BlockSet blocks_;
};

// A variable that is_watchable is reached by its name alone: no store through a pointer changes it, no other place is it.
bool is_apart(const Instruction &one, const Value *place) {
    const auto *load = dyn_cast<LoadInst>(&one);
    const auto *variable = load ? dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
    return variable && getUnderlyingObject(place) != variable && is_watchable(*variable);
}

// The stores to the place between the two, or nothing if somebody might see what they store.
std::optional<SmallVector<StoreInst *, 2>> unseen_between(LoadInst *load, StoreInst *back, AAResults &aliases) {
    const Between between(load, back);
    if (!between.small())
        return std::nullopt;
    const MemoryLocation place = MemoryLocation::get(back);
    SmallVector<StoreInst *, 2> stores;
    bool seen = false;
    bool changed = false;
    between.all([&](Instruction &one) {
        auto *store = dyn_cast<StoreInst>(&one);
        if (store && store->isUnordered() && MemoryLocation::get(store).Size == place.Size &&
            aliases.isMustAlias(MemoryLocation::get(store), place)) {
            stores.push_back(store);
            return true;
        }
        if (is_apart(one, back->getPointerOperand()))
            return true;
        const ModRefInfo effect = aliases.getModRefInfo(&one, place);
        seen |= isRefSet(effect) || one.mayThrow();
        changed |= isModSet(effect);
        return !changed;
    });
    if (changed || (!stores.empty() && (seen || !between.closed())))
        return std::nullopt;
    return stores;
}

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

void remove_unseen_stores(Function &function, AAResults &aliases) {
    const DominatorTree dominators(function);
    SmallVector<StoreInst *, 8> candidates;
    for (Instruction &one : instructions(function)) {
        auto *back = dyn_cast<StoreInst>(&one);
        auto *load = back ? dyn_cast<LoadInst>(back->getValueOperand()) : nullptr;
        if (load && back->isUnordered() && load->isUnordered() && dominators.dominates(load, back) &&
            load->getPointerOperand() == back->getPointerOperand())
            candidates.push_back(back);
    }
    // Inner frames first: once theirs are gone, nothing hides the outer ones'.
    SmallPtrSet<StoreInst *, 8> removed;
    for (StoreInst *back : candidates) {
        if (removed.contains(back))
            continue;
        const auto stores = unseen_between(cast<LoadInst>(back->getValueOperand()), back, aliases);
        if (!stores)
            continue;
        for (StoreInst *store : *stores) {
            removed.insert(store);
            store->eraseFromParent();
        }
        removed.insert(back);
        back->eraseFromParent();
    }
}

}  // namespace thalweg::transform
