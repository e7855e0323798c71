// transform: where a terminator goes when what it asks about is known.
#include "transform/abstract/successor.h"

#include "llvm/IR/Constants.h"

namespace thalweg::transform::abstract {

using namespace llvm;

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

SmallVector<BasicBlock *> possible_successors(const Instruction &terminator, Read read) {
    if (const Value *asked = asked_by(terminator)) {
        const Known value = read(*asked);
        if (const APInt *number = value.number())
            return {known_successor(terminator, *number)};
    }
    SmallVector<BasicBlock *> all;
    for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
        if (!is_contained(all, terminator.getSuccessor(i)))
            all.push_back(terminator.getSuccessor(i));
    return all;
}

}  // namespace thalweg::transform::abstract
