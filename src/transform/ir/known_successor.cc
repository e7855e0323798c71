// transform: where a terminator goes when the value that it asks about is known.
#include "transform/ir/known_successor.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace thalweg::transform {

Value *asked_by(const Instruction &terminator) {
    if (const auto *branch = dyn_cast<BranchInst>(&terminator); branch && branch->isConditional())
        return branch->getCondition();
    if (const auto *choice = dyn_cast<SwitchInst>(&terminator))
        return choice->getCondition();
    return nullptr;
}

BasicBlock *known_successor(const Instruction &terminator, const APInt &value) {
    if (isa<BranchInst>(terminator))
        return terminator.getSuccessor(value.isZero() ? 1 : 0);
    const auto found = cast<SwitchInst>(terminator).findCaseValue(ConstantInt::get(terminator.getContext(), value));
    return terminator.getSuccessor(found->getSuccessorIndex());
}

}  // namespace thalweg::transform
