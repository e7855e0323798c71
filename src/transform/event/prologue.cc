// transform: what a raise does before its loop moves behind the guards.
#include "transform/event/prologue.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include "transform/event/watch.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A frame's set-up is some six instructions, a user's argument or two before it; what is longer is not one.
constexpr size_t max_prologue = 40;

// Null, flags, flags again, empty: a raise asks no more than that before its loop.
constexpr unsigned max_tests = 6;

// A call may do anything to an event; a store of the program's own does not go into its core.
bool may_change_events(const Instruction &one) {
    const auto *call = dyn_cast<CallBase>(&one);
    return call && !isa<IntrinsicInst>(call) && call->mayWriteToMemory();
}

const DataLayout &layout_of(const BasicBlock &block) { return block.getModule()->getDataLayout(); }

// The comparison of two pointers that a block ends in.
const ICmpInst *compared_pointers(const BasicBlock &block) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    const auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    return compare && compare->isEquality() && compare->getOperand(0)->getType()->isPointerTy() ? compare : nullptr;
}

// One test on the way to the loop, told by what it compares.
class EntryReader {
  public:
    EntryReader(const Loop &loop, const Value *core)
        : core_(core), layout_(loop.getHeader()->getModule()->getDataLayout()) {
        BasicBlock *block = loop.getLoopPreheader();
        if (!block || !usable(*block))
            return;
        entry_.chain.push_back(block);
        block = block->getSinglePredecessor();
        if (!block || !asks_for_empty(block->getTerminator()))
            return;
        entry_.top = block;
        for (unsigned i = 0; i < max_tests; ++i) {
            BasicBlock *above = entry_.top->getSinglePredecessor();
            if (!above || !usable(*entry_.top) || !read(*above->getTerminator(), entry_.top))
                break;
            entry_.chain.insert(entry_.chain.begin(), entry_.top);
            entry_.top = above;
        }
        if (llvm::any_of(asked_, [this](const LoadInst *load) { return may_be_stale(*load); }))
            entry_ = {};
    }

    RaiseEntry take() { return std::move(entry_); }

  private:
    // What can't be copied, or may change what the fronts ask: they come before it.
    static bool is_kept(const Instruction &one) {
        if (const auto *store = dyn_cast<StoreInst>(&one)) {
            const auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(store->getPointerOperand()));
            return variable && is_watchable(*variable);
        }
        const auto *call = dyn_cast<CallBase>(&one);
        return isa<AllocaInst>(one) || may_change_events(one) ||
               (call && (call->cannotDuplicate() || call->isConvergent()));
    }

    static bool usable(const BasicBlock &block) {
        return block.phis().empty() && block.size() <= max_prologue && llvm::none_of(block, is_kept);
    }

    bool is_load_of(const Value *value, uint64_t offset) {
        const auto *load = dyn_cast<LoadInst>(value);
        if (!load)
            return false;
        APInt at(layout_.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
        APInt from(at.getBitWidth(), 0);
        const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, at, true);
        const Value *core_base = core_->stripAndAccumulateConstantOffsets(layout_, from, true);
        if (base != core_base || at - from != offset)
            return false;
        asked_.push_back(load);
        return true;
    }

    // The fronts see the event as it is at the end of `top`. What was read before a call is of the event as it was.
    bool may_be_stale(const LoadInst &load) const {
        if (llvm::is_contained(entry_.chain, load.getParent()))
            return false;
        for (const BasicBlock *block = entry_.top; block; block = block->getSinglePredecessor())
            for (const Instruction &one : llvm::reverse(*block)) {
                if (&one == &load)
                    return false;
                if (may_change_events(one))
                    return true;
            }
        return true;
    }

    bool asks_for_empty(const Instruction *end) {
        const auto *branch = dyn_cast<BranchInst>(end);
        const auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
        return compare && compare->isEquality() && is_load_of(compare->getOperand(0), offsetof(thalweg_core, slots)) &&
               is_load_of(compare->getOperand(1), offsetof(thalweg_core, slots_end));
    }

    // (flags & mask) as a value: sets mask.
    bool is_masked_flags(const Value *value, uint64_t &mask) {
        const auto *masked = dyn_cast<BinaryOperator>(value);
        const auto *bits =
            masked && masked->getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(masked->getOperand(1)) : nullptr;
        if (!bits || !is_load_of(masked->getOperand(0), offsetof(thalweg_core, flags)))
            return false;
        mask = bits->getZExtValue();
        return true;
    }

    // The flags are `bits` in `mask`; a later test (read first) may have said so already.
    bool learn(uint64_t mask, uint64_t bits) {
        if (entry_.flags.mask == 0)
            entry_.flags = {static_cast<uint32_t>(mask), static_cast<uint32_t>(bits)};
        return entry_.flags.mask == mask && entry_.flags.value == bits;
    }

    bool read(const Instruction &end, const BasicBlock *on) {
        if (const auto *choice = dyn_cast<SwitchInst>(&end))
            return read_switch(*choice, on);
        const auto *branch = dyn_cast<BranchInst>(&end);
        const auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
        if (!compare || !compare->isEquality())
            return false;
        const bool equal = (compare->getPredicate() == ICmpInst::ICMP_EQ) == (branch->getSuccessor(0) == on);
        if (compare->getOperand(0) == core_ && isa<ConstantPointerNull>(compare->getOperand(1))) {
            entry_.asks_for_null = !equal;
            return !equal;
        }
        const auto *bits = dyn_cast<ConstantInt>(compare->getOperand(1));
        uint64_t mask = 0;
        if (!bits || !is_masked_flags(compare->getOperand(0), mask))
            return false;
        if (equal)
            return learn(mask, bits->getZExtValue());
        // Not this kind, which follows when another kind of the same bits is known.
        return entry_.flags.mask == mask && entry_.flags.value != bits->getZExtValue();
    }

    bool read_switch(const SwitchInst &choice, const BasicBlock *on) {
        uint64_t mask = 0;
        ConstantInt *bits = const_cast<SwitchInst &>(choice).findCaseDest(const_cast<BasicBlock *>(on));
        return bits && is_masked_flags(choice.getCondition(), mask) && learn(mask, bits->getZExtValue());
    }

    const Value *core_;
    const DataLayout &layout_;
    RaiseEntry entry_;
    std::vector<const LoadInst *> asked_;
};

class Prologue {
  public:
    Prologue(const RaiseEntry &entry, BasicBlock *original, ArrayRef<FrontedLine> lines)
        : chain_(entry.chain), prologue_(entry.chain.back()), original_(original), lines_(lines), top_(entry.top) {}

    bool can_move() const { return top_ && isa<BranchInst>(prologue_->getTerminator()) && fronts_stand_alone(); }

    void move() {
        BasicBlock *front = prologue_->getTerminator()->getSuccessor(0);
        for (const FrontedLine &line : lines_)
            copy_before(line);
        // top -> fronts; what failed them -> the tests of the event -> the prologue -> the original loop
        BasicBlock *tests = top_->splitBasicBlock(top_->getTerminator()->getIterator(), "thalweg.test");
        top_->getTerminator()->setSuccessor(0, front);
        BasicBlock *loop = original_->getTerminator()->getSuccessor(0);
        loop->replacePhiUsesWith(original_, prologue_);
        prologue_->getTerminator()->setSuccessor(0, loop);
        original_->getTerminator()->setSuccessor(0, tests);
        for (BasicBlock *block : chain_)
            for (Instruction &value : *block)
                repair(value);
        sink_into(tests);
    }

  private:
    // No test at the fronts reads what the chain makes or writes.
    bool fronts_stand_alone() const {
        for (const BasicBlock *block : chain_)
            for (const Instruction &value : *block)
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

    // The chain's blocks one after the other, without their tests, then the line.
    void copy_before(const FrontedLine &line) {
        ValueToValueMapTy map;
        SmallVector<BasicBlock *, 4> copies;
        for (BasicBlock *block : chain_)
            copies.push_back(CloneBasicBlock(block, map, ".line", block->getParent()));
        remapInstructionsInBlocks(copies, map);
        for (size_t i = 0; i < copies.size(); ++i) {
            Instruction *end = copies[i]->getTerminator();
            BasicBlock *next = i + 1 < copies.size() ? copies[i + 1] : line.entry;
            BranchInst::Create(next, end->getIterator())->setDebugLoc(end->getDebugLoc());
            map.erase(chain_[i]->getTerminator());
            end->eraseFromParent();
        }
        line.entry->replacePhiUsesWith(line.front, copies.back());
        line.front->getTerminator()->replaceSuccessorWith(line.entry, copies.front());
        for (BasicBlock *block : chain_)
            for (Instruction &value : *block)
                if (!value.isTerminator() && map.count(&value))
                    values_[&value].push_back(cast<Instruction>(map[&value]));
    }

    // What only the test for an empty list needs is computed there: the lines do without it. What writes stays where it is, and
    // nothing is read later than a write that came after it.
    void sink_into(BasicBlock *tests) {
        bool written = false;
        for (Instruction &one : llvm::make_early_inc_range(llvm::reverse(*top_))) {
            const bool writes = one.mayHaveSideEffects();
            written |= writes;
            if (writes || one.isTerminator() || isa<PHINode, AllocaInst>(one) || one.use_empty())
                continue;
            if ((written && one.mayReadFromMemory()) || !llvm::all_of(one.users(), [&](const User *user) {
                    return cast<Instruction>(user)->getParent() == tests && !isa<PHINode>(user);
                }))
                break;
            one.moveBefore(*tests, tests->getFirstInsertionPt());
        }
    }

    void repair(Instruction &value) {
        if (value.getType()->isVoidTy() || !value.isUsedOutsideOfBlock(value.getParent()))
            return;
        SSAUpdater updater;
        updater.Initialize(value.getType(), value.getName());
        updater.AddAvailableValue(value.getParent(), &value);
        for (Instruction *copy : values_[&value])
            updater.AddAvailableValue(copy->getParent(), copy);
        SmallVector<Use *, 8> uses;
        for (Use &use : value.uses())
            if (cast<Instruction>(use.getUser())->getParent() != value.getParent() || isa<PHINode>(use.getUser()))
                uses.push_back(&use);
        for (Use *use : uses)
            updater.RewriteUse(*use);
    }

    const std::vector<BasicBlock *> &chain_;
    BasicBlock *prologue_;
    BasicBlock *original_;
    ArrayRef<FrontedLine> lines_;
    BasicBlock *top_;
    DenseMap<Instruction *, SmallVector<Instruction *, 4>> values_;
};

}  // namespace

RaiseEntry find_entry(const Loop &loop, const Value *core) { return EntryReader(loop, core).take(); }

RaiseEntry find_list_entry(const Loop &loop) {
    BasicBlock *block = loop.getLoopPreheader();
    BasicBlock *top = block ? block->getSinglePredecessor() : nullptr;
    const ICmpInst *empty = top ? compared_pointers(*top) : nullptr;
    const unsigned unequal = empty && empty->getPredicate() == ICmpInst::ICMP_EQ ? 1 : 0;
    if (!empty || top->getTerminator()->getSuccessor(unequal) != block || !block->phis().empty() ||
        block->size() > max_prologue ||
        llvm::any_of(*block, [](const Instruction &one) { return one.mayHaveSideEffects() || isa<AllocaInst>(one); }))
        return {};
    RaiseEntry entry;
    entry.top = top;
    entry.chain = {block};
    return entry;
}

bool tests_length_first(const RaiseEntry &entry, const BasicBlock *front) {
    const ICmpInst *empty = compared_pointers(*entry.top);
    const ICmpInst *length = compared_pointers(*front);
    if (!empty || !length || length->getPredicate() != ICmpInst::ICMP_EQ ||
        llvm::any_of(*front, [](const Instruction &one) { return one.mayReadOrWriteMemory(); }))
        return false;
    for (const unsigned k : {0U, 1U})
        for (const unsigned m : {0U, 1U}) {
            const auto apart = length->getOperand(k)->getPointerOffsetFrom(empty->getOperand(m), layout_of(*front));
            if (apart && *apart != 0 && length->getOperand(1 - k) == empty->getOperand(1 - m))
                return true;
        }
    return false;
}

void move_fronts_up(const RaiseEntry &entry, BasicBlock *original, ArrayRef<FrontedLine> lines) {
    Prologue mover(entry, original, lines);
    if (mover.can_move())
        mover.move();
}

}  // namespace thalweg::transform
