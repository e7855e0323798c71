// transform: guards, and how those of a whole path come to stand at its front.
#include "transform/guard.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A test's operands are followed so far back; longer ones are left where they stand. Chosen so that a slot's address,
// its load and its compare fit for lists of some ten handlers; a list's element k is reached from element k - 1.
constexpr size_t max_slice = 64;

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

class Gatherer {
  public:
    Gatherer(FrontedLine &line, PathTable &paths, AAResults &aliases)
        : line_(line), paths_(paths), aliases_(aliases), hot_(reachable({line.entry}, line.stops, true)) {
        for (BasicBlock *block : hot_)
            for (BasicBlock *next : hot_successors(block))
                before_[next].insert(block);
    }

    void gather(std::vector<Guard> guards) {
        sort_by_position(guards);
        close_front();
        bool all_so_far = true;
        for (Guard &guard : guards)
            if (!hoist(guard, all_so_far))
                all_so_far = false;
        emit_version_test();
    }

  private:
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

    bool hoist(Guard &guard, bool all_so_far) {
        if (!hot_.contains(guard.branch->getParent()))
            return true;
        const Slice slice(guard.branch->getCondition(), hot_);
        if (!slice.complete() || !may_move(slice, all_so_far))
            return false;
        auto *core = guard.core ? dyn_cast<Constant>(guard.core) : nullptr;
        if (core)
            known_.insert({core, guard.path});
        else
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
        builder.CreateCondBr(condition, next, line_.otherwise);
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
        if (known_.size() > 1) {
            Value *word = paths_.version_word(known_.getArrayRef().vec());
            add_test(builder.CreateICmpNE(paths_.load_word(builder, word), builder.getInt32(0)), location);
            return;
        }
        const auto &[core, path] = known_.front();
        Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), core, core_path_offset);
        add_test(builder.CreateICmpEQ(paths_.load_word(builder, address), builder.getInt32(path)), location);
    }

    FrontedLine &line_;
    PathTable &paths_;
    AAResults &aliases_;
    BlockSet hot_;
    DenseMap<BasicBlock *, BlockSet> before_;
    SmallSetVector<std::pair<Constant *, uint32_t>, 8> known_;
};

}  // namespace

void gather_guards(FrontedLine &line, std::vector<Guard> guards, PathTable &paths, AAResults &aliases) {
    Gatherer(line, paths, aliases).gather(std::move(guards));
}

}  // namespace thalweg::transform
