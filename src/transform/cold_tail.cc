// transform: "leave, never rejoin": whatever leaves a straight line goes on in a copy of the rest.
#include "transform/cold_tail.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

class ColdTail {
  public:
    ColdTail(BasicBlock *entry, const Stops &stops) : hot_(reachable({entry}, stops, true)) {
        BlockSet targets;
        for (BasicBlock *block : hot_) {
            Instruction *end = block->getTerminator();
            for (unsigned s = 0; s < end->getNumSuccessors(); ++s)
                if (is_leave(*end, s) && !stops.contains(end->getSuccessor(s)))
                    targets.insert(end->getSuccessor(s));
        }
        cold_ = reachable(targets.getArrayRef(), stops, false);
        for (BasicBlock *block : cold_)
            if (hot_.contains(block))
                shared_.insert(block);
    }

    void split() {
        if (shared_.empty())
            return;
        clone_shared();
        for (BasicBlock *block : shared_)
            move_cold_entries(block);
        extend_successors();
        for (const auto &[original, copy] : values_)
            repair(original, copy);
    }

  private:
    BasicBlock *copy_of(BasicBlock *block) { return cast<BasicBlock>(map_[block]); }

    Value *mapped(Value *value) {
        const auto found = map_.find(value);
        return found == map_.end() ? value : static_cast<Value *>(found->second);
    }

    void clone_shared() {
        for (BasicBlock *block : shared_) {
            BasicBlock *copy = CloneBasicBlock(block, map_, ".cold", block->getParent());
            map_[block] = copy;
            copies_.push_back(copy);
        }
        SmallVector<MDNode *, 4> scopes;
        identifyNoAliasScopesToClone(shared_.getArrayRef(), scopes);
        remapInstructionsInBlocks(copies_, map_);
        if (!scopes.empty())
            cloneAndAdaptNoAliasScopes(scopes, copies_, copies_.front()->getContext(), "cold");
        for (BasicBlock *block : shared_)
            for (Instruction &instruction : *block)
                if (!instruction.getType()->isVoidTy())
                    values_.emplace_back(&instruction, cast<Instruction>(mapped(&instruction)));
    }

    // Which successors of `from` lead to `block` on the cold side: all, if `from` is no hot block.
    bool is_cold_edge(BasicBlock *from, unsigned successor) {
        return !hot_.contains(from) || is_leave(*from->getTerminator(), successor);
    }

    // Edges into `block` that the cold side takes go to its copy instead; the phis of both follow.
    void move_cold_entries(BasicBlock *block) {
        BasicBlock *copy = copy_of(block);
        forget_foreign_entries(block, copy);
        SmallVector<BasicBlock *, 8> before(predecessors(block));
        SmallPtrSet<BasicBlock *, 8> seen;
        for (BasicBlock *from : before) {
            if (is_copy(from) || !seen.insert(from).second)
                continue;
            Instruction *end = from->getTerminator();
            for (unsigned s = 0; s < end->getNumSuccessors(); ++s) {
                if (end->getSuccessor(s) != block || !is_cold_edge(from, s))
                    continue;
                end->setSuccessor(s, copy);
                move_phi_entries(block, copy, from);
            }
        }
    }

    bool is_copy(BasicBlock *block) { return is_contained(copies_, block); }

    // The copy's phis name, after cloning, predecessors that do not lead to it.
    void forget_foreign_entries(BasicBlock *block, BasicBlock *copy) {
        for (BasicBlock *from : SmallVector<BasicBlock *, 8>(predecessors(block))) {
            if (shared_.contains(from) || is_copy(from))
                continue;
            for (PHINode &phi : copy->phis())
                while (phi.getBasicBlockIndex(from) >= 0)
                    phi.removeIncomingValue(from, false);
        }
    }

    void move_phi_entries(BasicBlock *block, BasicBlock *copy, BasicBlock *from) {
        auto to = copy->phis().begin();
        for (PHINode &phi : block->phis()) {
            to->addIncoming(phi.getIncomingValueForBlock(from), from);
            phi.removeIncomingValue(from, false);
            ++to;
        }
    }

    // A block that is not shared has each copy that leads to it as one more predecessor.
    void extend_successors() {
        for (BasicBlock *block : shared_) {
            BasicBlock *copy = copy_of(block);
            Instruction *end = copy->getTerminator();
            for (unsigned s = 0; s < end->getNumSuccessors(); ++s) {
                BasicBlock *to = end->getSuccessor(s);
                if (is_copy(to))
                    continue;
                for (PHINode &phi : to->phis())
                    phi.addIncoming(mapped(phi.getIncomingValueForBlock(block)), copy);
            }
        }
    }

    bool is_cold_side(BasicBlock *block) { return is_copy(block) || (cold_.contains(block) && !hot_.contains(block)); }

    static BasicBlock *block_of(const Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *phi = dyn_cast<PHINode>(user))
            return phi->getIncomingBlock(use);
        return user->getParent();
    }

    // On the cold side a value comes from the hot path or from the copy, whichever ran.
    void repair(Instruction *original, Instruction *copy) {
        SmallVector<Use *, 8> uses;
        for (Use &use : original->uses())
            if (is_cold_side(block_of(use)))
                uses.push_back(&use);
        for (Use &use : copy->uses())
            if (block_of(use) != copy->getParent() || isa<PHINode>(use.getUser()))
                uses.push_back(&use);
        if (uses.empty())
            return;
        SSAUpdater updater;
        updater.Initialize(original->getType(), original->getName());
        updater.AddAvailableValue(original->getParent(), original);
        updater.AddAvailableValue(copy->getParent(), copy);
        for (Use *use : uses)
            updater.RewriteUse(*use);
    }

    BlockSet hot_;
    BlockSet cold_;
    BlockSet shared_;
    SmallVector<BasicBlock *, 16> copies_;
    std::vector<std::pair<Instruction *, Instruction *>> values_;
    ValueToValueMapTy map_;
};

}  // namespace

void split_cold_tail(BasicBlock *entry, const Stops &stops) { ColdTail(entry, stops).split(); }

}  // namespace thalweg::transform
