// transform: frames that nobody can see are taken out.
#include "transform/event/unseen_store.h"

#include <optional>

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/event/watch.h"
#include "transform/ir/event_access.h"
#include "transform/ir/hot_path.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A line longer than this is not searched for a frame to take out.
constexpr size_t max_blocks_between = 256;

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

// No event lies in a frame. Accesses with a type are known not to meet by that; setting a frame to zero has none.
bool clears_a_frame(const Instruction &one) {
    const auto *set = dyn_cast<MemSetInst>(&one);
    return set && is_frame(getUnderlyingObject(set->getDest()));
}

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
        // Where the place is in what begins or ends to live, one of the load and the putting back is of something dead.
        if (one.isLifetimeStartOrEnd() || is_apart(one, back->getPointerOperand()) ||
            (is_in_core(*back) && clears_a_frame(one)))
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
        auto *load = cast<LoadInst>(back->getValueOperand());
        removed.insert(back);
        back->eraseFromParent();
        // A load that is left over would look like somebody who sees the frame around this one.
        if (load->use_empty())
            load->eraseFromParent();
    }
}

}  // namespace thalweg::transform
