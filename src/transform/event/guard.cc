// transform: guards, and how those of a whole path come to stand at its front.
#include "transform/event/guard.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/event/slot_image.h"
#include "transform/event/watch.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A test's operands are followed so far back; longer ones are left where they stand. Chosen so that a slot's address,
// its load and its compare fit for lists of some ten handlers; a list's element k is reached from element k - 1.
constexpr size_t max_slice = 64;

// Between the load of a variable that points to an event and the raise: a raise's own tests, arguments. In a longer way the
// variable is not trusted.
constexpr size_t max_blocks_before = 32;

// The instructions of the line that a condition is computed from, operands first.
class Slice {
  public:
    Slice(Value *condition, const BlockSet &line) : line_(line) { complete_ = add(condition); }
    bool complete() const { return complete_; }
    ArrayRef<Instruction *> instructions() const { return order_.getArrayRef(); }

  private:
    bool add(Value *value) {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction || !line_.contains(instruction->getParent()) || order_.contains(instruction))
            return true;
        if (!is_pure(*instruction) || order_.size() >= max_slice)
            return false;
        for (Value *operand : instruction->operands())
            if (!add(operand))
                return false;
        order_.insert(instruction);
        return true;
    }

    static bool is_pure(const Instruction &instruction) {
        if (const auto *load = dyn_cast<LoadInst>(&instruction))
            return load->isUnordered();
        if (const auto *phi = dyn_cast<PHINode>(&instruction))
            return phi->getNumIncomingValues() == 1;
        return isa<GetElementPtrInst, CastInst, CmpInst, BinaryOperator, SelectInst, FreezeInst>(instruction) &&
               isSafeToSpeculativelyExecute(&instruction);
    }

    const BlockSet &line_;
    SmallSetVector<Instruction *, 16> order_;
    bool complete_ = false;
};

// The event that a guard tests: whether there is one, or its word for `path`. Null: it can't be told any more.
Value *tested_event(const BranchInst &branch, uint32_t path) {
    const auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
    if (!compare || path == 0)
        return compare ? compare->getOperand(0) : nullptr;
    auto *word = dyn_cast<LoadInst>(compare->getOperand(0));
    if (!word)
        return nullptr;
    const DataLayout &layout = word->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(word->getPointerOperandType()), 0);
    Value *base = word->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, false);
    if (offset == offsetof(thalweg_core, path))
        return base;
    auto *constant = dyn_cast<Constant>(base);
    return constant ? ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(branch.getContext()), constant,
                                                             ConstantInt::get(Type::getInt64Ty(branch.getContext()),
                                                                              offset - offsetof(thalweg_core, path)))
                    : nullptr;
}

class Gatherer {
  public:
    Gatherer(FrontedLine &line, PathTable &paths, AAResults &aliases) : line_(line), paths_(paths), aliases_(aliases) {
        find_way();
    }

    void gather(std::vector<Guard> guards) {
        sort_by_position(guards);
        close_front();
        hoist_independent(guards);
        if (decide_by_ends())
            find_way();
        bool all_so_far = true;
        for (size_t i = 0; i < guards.size(); ++i) {
            const bool implied = i + 1 < guards.size() && is_implied(guards[i], guards[i + 1]);
            if (implied)
                go_on(guards[i]);
            else if (!hoist(guards[i], all_so_far))
                all_so_far = false;
        }
        emit_version_test();
    }

  private:
    // The line's blocks, and which of them come before which.
    void find_way() {
        hot_ = reachable({line_.entry}, line_.stops, true);
        before_.clear();
        for (BasicBlock *block : hot_)
            for (BasicBlock *next : hot_successors(block))
                before_[next].insert(block);
    }

    std::vector<BasicBlock *> hot_successors(BasicBlock *block) const {
        std::vector<BasicBlock *> next;
        Instruction *end = block->getTerminator();
        for (unsigned s = 0; s < end->getNumSuccessors(); ++s)
            if (hot_.contains(end->getSuccessor(s)) && !is_leave(*end, s))
                next.push_back(end->getSuccessor(s));
        return next;
    }

    void sort_by_position(std::vector<Guard> &guards) {
        ReversePostOrderTraversal<Function *> order(line_.entry->getParent());
        DenseMap<BasicBlock *, unsigned> position;
        unsigned i = 0;
        for (BasicBlock *block : order)
            position[block] = i++;
        llvm::sort(guards, [&](const Guard &a, const Guard &b) {
            return position.lookup(a.branch->getParent()) < position.lookup(b.branch->getParent());
        });
    }

    // The blocks of the line that can run before `block` does.
    BlockSet blocks_before(BasicBlock *block) const {
        BlockSet found;
        SmallVector<BasicBlock *, 16> work{block};
        while (!work.empty()) {
            const auto entry = before_.find(work.pop_back_val());
            if (entry == before_.end())
                continue;
            for (BasicBlock *previous : entry->second)
                if (found.insert(previous))
                    work.push_back(previous);
        }
        return found;
    }

    template <class Visit>
    bool all_before(Instruction *point, Visit visit) const {
        const BlockSet blocks = blocks_before(point->getParent());
        const bool in_cycle = blocks.contains(point->getParent());
        for (Instruction &instruction : *point->getParent()) {
            if (&instruction == point && !in_cycle)
                break;
            if (!visit(instruction))
                return false;
        }
        for (BasicBlock *block : blocks)
            if (block != point->getParent() && !llvm::all_of(*block, visit))
                return false;
        return true;
    }

    bool is_unchanged(LoadInst *load) const {
        const MemoryLocation location = MemoryLocation::get(load);
        return all_before(load, [&](Instruction &instruction) {
            return !instruction.mayWriteToMemory() || !isModSet(aliases_.getModRefInfo(&instruction, location));
        });
    }

    // Whether the original is sure to come to `point` once it has come to the front: one way, no loop, nothing that throws
    // or ends the program.
    bool is_sure_to_run(Instruction *point) const {
        const BlockSet blocks = blocks_before(point->getParent());
        if (blocks.contains(point->getParent()))
            return false;
        for (BasicBlock *block : blocks)
            for (BasicBlock *next : hot_successors(block))
                if (next != point->getParent() && !blocks.contains(next))
                    return false;
        if (has_cycle(blocks))
            return false;
        return all_before(point, [](Instruction &instruction) {
            return instruction.isTerminator() || isGuaranteedToTransferExecutionToSuccessor(&instruction);
        });
    }

    bool has_cycle(const BlockSet &blocks) const {
        return llvm::any_of(blocks, [&](BasicBlock *block) { return blocks_before(block).contains(block); });
    }

    bool may_move(const Slice &slice, bool all_so_far) const {
        for (Instruction *instruction : slice.instructions()) {
            auto *load = dyn_cast<LoadInst>(instruction);
            if (!load)
                continue;
            if (!is_unchanged(load))
                return false;
            if (!isSafeToSpeculativelyExecute(load) && !(all_so_far && is_sure_to_run(load)))
                return false;
        }
        return true;
    }

    // The event as the runtime can find it by itself: its own address, or that of a variable that we watch.
    std::optional<GroupMember> as_member(const Guard &guard) const {
        if (auto *core = dyn_cast_or_null<Constant>(guard.core))
            return GroupMember{core, guard.path, false};
        auto *load = dyn_cast_or_null<LoadInst>(guard.core);
        auto *where = load && load->isSimple() ? dyn_cast<Constant>(load->getPointerOperand()) : nullptr;
        auto *variable = where ? dyn_cast<GlobalVariable>(getUnderlyingObject(where)) : nullptr;
        if (!variable || !is_watchable(*variable) || !still_holds(*load, *variable))
            return std::nullopt;
        return GroupMember{where, guard.path, true};
    }

    // Whether the variable still points, where the front tests, to the event that was loaded before the line. (What is loaded in the
    // line is part of the test's slice.)
    bool still_holds(LoadInst &load, const GlobalVariable &variable) const {
        if (hot_.contains(load.getParent()))
            return true;
        BlockSet blocks;
        blocks.insert(line_.front);
        for (size_t i = 0; i < blocks.size(); ++i) {
            BasicBlock *block = blocks[i];
            const bool begins_here = block == load.getParent();
            if (blocks.size() > max_blocks_before)
                return false;
            auto at = begins_here ? load.getIterator() : block->begin();
            if (!std::all_of(at, block->end(), [&](Instruction &one) { return !may_change(one, load, variable); }))
                return false;
            if (!begins_here)
                blocks.insert(pred_begin(block), pred_end(block));
        }
        return true;
    }

    // A watchable variable is stored to by its name alone.
    bool may_change(Instruction &one, LoadInst &load, const GlobalVariable &variable) const {
        if (const auto *store = dyn_cast<StoreInst>(&one))
            return getUnderlyingObject(store->getPointerOperand()) == &variable;
        return isModSet(aliases_.getModRefInfo(&one, MemoryLocation::get(&load)));
    }

    // Whether a version word can answer for the guard: nothing in the line changes what the guard reads.
    bool by_version_word(const Guard &guard) const {
        const Slice slice(guard.branch->getCondition(), hot_);
        return guard.path != 0 && slice.complete() && as_member(guard) &&
               llvm::all_of(slice.instructions(), [&](Instruction *instruction) {
                   auto *load = dyn_cast<LoadInst>(instruction);
                   return !load || is_unchanged(load);
               });
    }

    // There is an event wherever the word says that it has its path.
    bool is_implied(const Guard &guard, const Guard &next) const {
        return guard.core && guard.path == 0 && next.core == guard.core && hot_.contains(guard.branch->getParent()) &&
               hot_.contains(next.branch->getParent()) && by_version_word(next);
    }

    // Tests of lists that may be made at any time come first, the last one before the others: where a list ends decides
    // about all the tests whether it goes on.
    void hoist_independent(std::vector<Guard> &guards) {
        std::vector<Guard> left;
        for (Guard &guard : llvm::reverse(guards)) {
            if (guard.core || !hot_.contains(guard.branch->getParent())) {
                left.push_back(guard);
            } else if (follows_from_ends(guard)) {
                go_on(guard);
            } else if (const auto end = list_end(guard); hoist(guard, false)) {
                if (end)
                    ends_.push_back(*end);
            } else {
                left.push_back(guard);
            }
        }
        std::reverse(left.begin(), left.end());
        guards = std::move(left);
    }

    // `position` and `limit` are equal, or not, where the guard holds.
    struct Comparison {
        Value *position;
        Value *limit;
        bool equal;
    };

    static std::optional<Comparison> comparison(const Guard &guard) {
        const auto *compare = dyn_cast<ICmpInst>(guard.branch->getCondition());
        if (!compare || !compare->isEquality() || !compare->getOperand(0)->getType()->isPointerTy())
            return std::nullopt;
        const bool equal = (compare->getPredicate() == ICmpInst::ICMP_EQ) == (guard.leave == 1);
        return Comparison{compare->getOperand(0), compare->getOperand(1), equal};
    }

    static std::optional<Comparison> list_end(const Guard &guard) {
        const auto found = comparison(guard);
        return found && found->equal ? found : std::nullopt;
    }

    // Loads of one place that nothing in the line changes before them give what stood there at the front.
    bool is_same(Value *one, Value *other) const {
        auto *a = dyn_cast<LoadInst>(one);
        auto *b = dyn_cast<LoadInst>(other);
        return one == other || (a && b && a->isSimple() && b->isSimple() && a->getType() == b->getType() &&
                                a->getPointerOperand() == b->getPointerOperand() && hot_.contains(a->getParent()) &&
                                hot_.contains(b->getParent()) && is_unchanged(a) && is_unchanged(b));
    }

    // A list that ends at one distance from its beginning does not end at another.
    bool follows_from_ends(const Guard &guard) const {
        const auto going_on = comparison(guard);
        if (!going_on || going_on->equal)
            return false;
        const DataLayout &layout = guard.branch->getModule()->getDataLayout();
        return llvm::any_of(ends_, [&](const Comparison &end) {
            APInt a(layout.getIndexTypeSizeInBits(end.position->getType()), 0);
            APInt b(a.getBitWidth(), 0);
            Value *end_base = end.position->stripAndAccumulateConstantOffsets(layout, a, false);
            Value *base = going_on->position->stripAndAccumulateConstantOffsets(layout, b, false);
            return a != b && is_same(end.limit, going_on->limit) && is_same(end_base, base);
        });
    }

    // Branches of the program itself in the line, such as whether a list is empty before its loop begins.
    bool decide_by_ends() {
        bool decided = false;
        for (BasicBlock *block : hot_) {
            auto *branch = dyn_cast<BranchInst>(block->getTerminator());
            if (!branch || !branch->isConditional() || is_leave(*branch, 0) || is_leave(*branch, 1))
                continue;
            for (const unsigned never : {0U, 1U}) {
                const Guard certain{branch, never, nullptr, 0};
                if (!follows_from_ends(certain))
                    continue;
                go_on(certain);
                decided = true;
                break;
            }
        }
        return decided;
    }

    bool hoist(Guard &guard, bool all_so_far) {
        if (!hot_.contains(guard.branch->getParent()))
            return true;
        if (by_version_word(guard)) {
            known_.push_back(*as_member(guard));
            go_on(guard);
            return true;
        }
        const Slice slice(guard.branch->getCondition(), hot_);
        if (!slice.complete() || !may_move(slice, all_so_far))
            return false;
        test_at_front(guard, slice);
        go_on(guard);
        return true;
    }

    // The guard's branch has become certain.
    static void go_on(const Guard &guard) {
        BranchInst *branch = guard.branch;
        branch->getSuccessor(guard.leave)->removePredecessor(branch->getParent(), true);
        BranchInst *certain = BranchInst::Create(branch->getSuccessor(1 - guard.leave), branch->getIterator());
        certain->setDebugLoc(branch->getDebugLoc());
        branch->eraseFromParent();
    }

    void test_at_front(const Guard &guard, const Slice &slice) {
        Instruction *end = line_.front->getTerminator();
        DenseMap<Value *, Value *> map;
        for (Instruction *instruction : slice.instructions()) {
            if (auto *phi = dyn_cast<PHINode>(instruction)) {
                Value *only = phi->getIncomingValue(0);
                map[phi] = map.contains(only) ? map[only] : only;
                continue;
            }
            Instruction *copy = instruction->clone();
            for (Use &use : copy->operands())
                if (map.contains(use))
                    use = map[use];
            copy->insertBefore(end->getIterator());
            map[instruction] = copy;
        }
        Value *condition = guard.branch->getCondition();
        if (map.contains(condition))
            condition = map[condition];
        if (guard.leave == 0)
            condition = IRBuilder<>(end).CreateNot(condition);
        add_test(condition, guard.branch->getDebugLoc());
    }

    void close_front() {
        Instruction *end = line_.front->getTerminator();
        BranchInst::Create(line_.entry, end->getIterator())->setDebugLoc(end->getDebugLoc());
        end->eraseFromParent();
    }

    // The front ends in a test from here on, and goes on in a new front.
    void add_test(Value *condition, const DebugLoc &location) {
        BasicBlock *front = line_.front;
        BasicBlock *next = BasicBlock::Create(front->getContext(), "thalweg.front", front->getParent(), line_.entry);
        front->getTerminator()->eraseFromParent();
        IRBuilder<> builder(front);
        builder.SetCurrentDebugLocation(location);
        mark_front_test(*builder.CreateCondBr(condition, next, line_.otherwise, likely(front->getContext())));
        builder.SetInsertPoint(next);
        builder.CreateBr(line_.entry);
        line_.entry->replacePhiUsesWith(front, next);
        line_.front = next;
    }

    void emit_version_test() {
        if (known_.empty())
            return;
        IRBuilder<> builder(line_.front->getTerminator());
        const DebugLoc location = line_.entry->getTerminator()->getDebugLoc();
        builder.SetCurrentDebugLocation(location);
        if (known_.size() > 1 || known_.front().indirect) {
            Value *word = paths_.version_word(known_);
            add_test(builder.CreateICmpNE(paths_.load_word(builder, word), builder.getInt32(0)), location);
            return;
        }
        Constant *core = known_.front().where;
        const uint32_t path = known_.front().path;
        Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), core, offsetof(thalweg_core, path));
        add_test(builder.CreateICmpEQ(paths_.load_word(builder, address), builder.getInt32(path)), location);
    }

    FrontedLine &line_;
    PathTable &paths_;
    AAResults &aliases_;
    BlockSet hot_;
    DenseMap<BasicBlock *, BlockSet> before_;
    std::vector<GroupMember> known_;
    std::vector<Comparison> ends_;  // tested at the front
};

}  // namespace

void mark(const Guard &guard) {
    LLVMContext &context = guard.branch->getContext();
    const auto number = [&](uint32_t value) -> Metadata * {
        return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
    };
    mark_guard(*guard.branch,
               MDNode::get(context, {number(guard.leave), number(guard.core ? 1 : 0), number(guard.path)}));
}

std::vector<Guard> marked_guards(ArrayRef<BasicBlock *> blocks) {
    std::vector<Guard> guards;
    for (BasicBlock *block : blocks) {
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        const MDNode *node = branch && branch->isConditional() ? guard_mark(*branch) : nullptr;
        if (!node)
            continue;
        const auto number = [&](unsigned i) {
            return static_cast<uint32_t>(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
        };
        guards.push_back({branch, number(0), number(1) != 0 ? tested_event(*branch, number(2)) : nullptr, number(2)});
    }
    return guards;
}

void gather_guards(FrontedLine &line, std::vector<Guard> guards, PathTable &paths, AAResults &aliases) {
    Gatherer(line, paths, aliases).gather(std::move(guards));
}

}  // namespace thalweg::transform
