// transform: a composite's lock is taken once for all the handlers of a line.
#include "transform/lock_merge.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral lock_name = "thalweg_composite_lock";
constexpr StringLiteral unlock_name = "thalweg_composite_unlock";

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

// Whether the way from `unlock` to `lock` does nothing: it asks whether bindings changed, and counts on.
bool nothing_between(CallInst *unlock, CallInst *lock, const BasicBlock *changed) {
    auto at = std::next(unlock->getIterator());
    SmallPtrSet<const BasicBlock *, 8> seen;
    while (&*at != lock) {
        if (!at->isTerminator()) {
            if (at->mayHaveSideEffects())
                return false;
            ++at;
            continue;
        }
        BasicBlock *next = nullptr;
        for (BasicBlock *successor : successors(at->getParent())) {
            if (successor == changed)
                continue;
            if (next)
                return false;
            next = successor;
        }
        if (!next || !seen.insert(next).second)
            return false;
        at = next->begin();
    }
    return true;
}

void unlock_when_leaving(const Iteration &copy, CallInst *unlock, BasicBlock *changed) {
    for (BasicBlock *block : copy.blocks)
        if (is_contained(successors(block), changed))
            unlock->clone()->insertBefore(SplitEdge(block, changed)->getTerminator()->getIterator());
}

}  // namespace

void merge_locks(const StraightLine &line, BasicBlock *changed) {
    for (size_t k = 0; k + 1 < line.iterations.size(); ++k) {
        CallInst *unlock = only_call(line.iterations[k], unlock_name);
        CallInst *lock = only_call(line.iterations[k + 1], lock_name);
        if (!unlock || !lock || unlock->getArgOperand(0) != lock->getArgOperand(0) ||
            !nothing_between(unlock, lock, changed))
            continue;
        unlock_when_leaving(line.iterations[k], unlock, changed);
        unlock->eraseFromParent();
        lock->eraseFromParent();
    }
}

}  // namespace thalweg::transform
