// transform: a composite's lock is taken once for all the handlers of a line.
#include "transform/ir/lock_merge.h"

#include <optional>

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral lock_name = ABI_SYMBOL(thalweg_composite_lock).name;
constexpr StringLiteral unlock_name = ABI_SYMBOL(thalweg_composite_unlock).name;

// The only call of `name` in an iteration, or null.
CallInst *only_call(const Iteration &copy, StringRef name) {
    CallInst *found = nullptr;
    for (BasicBlock *block : copy.blocks)
        for (Instruction &one : *block) {
            auto *call = dyn_cast<CallInst>(&one);
            if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != name)
                continue;
            if (found)
                return nullptr;
            found = call;
        }
    return found;
}

// The blocks on the one way from `unlock` to `lock`, or nothing if something is done there, or another way comes in: a raise
// asks whether bindings changed, and counts on.
std::optional<SmallVector<BasicBlock *, 4>> idle_way(CallInst *unlock, CallInst *lock, const BasicBlock *changed) {
    SmallVector<BasicBlock *, 4> way{unlock->getParent()};
    auto at = std::next(unlock->getIterator());
    while (&*at != lock) {
        if (!at->isTerminator()) {
            if (at->mayHaveSideEffects())
                return std::nullopt;
            ++at;
            continue;
        }
        BasicBlock *next = nullptr;
        for (BasicBlock *successor : successors(at->getParent())) {
            if (successor == changed)
                continue;
            if (next)
                return std::nullopt;
            next = successor;
        }
        if (!next || !next->getSinglePredecessor() || is_contained(way, next))
            return std::nullopt;
        way.push_back(next);
        at = next->begin();
    }
    return way;
}

void unlock_when_leaving(ArrayRef<BasicBlock *> way, CallInst *unlock, BasicBlock *changed) {
    for (BasicBlock *block : way)
        if (is_contained(successors(block), changed))
            unlock->clone()->insertBefore(SplitEdge(block, changed)->getTerminator()->getIterator());
}

}  // namespace

bool is_lock_or_unlock(const Instruction &one) {
    const auto *call = dyn_cast<CallBase>(&one);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName() == lock_name || callee->getName() == unlock_name);
}

void merge_locks(const StraightLine &line, BasicBlock *changed) {
    for (size_t k = 0; k + 1 < line.iterations.size(); ++k) {
        CallInst *unlock = only_call(line.iterations[k], unlock_name);
        CallInst *lock = only_call(line.iterations[k + 1], lock_name);
        if (!unlock || !lock || unlock->getArgOperand(0) != lock->getArgOperand(0))
            continue;
        const auto way = idle_way(unlock, lock, changed);
        if (!way)
            continue;
        unlock_when_leaving(*way, unlock, changed);
        unlock->eraseFromParent();
        lock->eraseFromParent();
    }
}

}  // namespace thalweg::transform
