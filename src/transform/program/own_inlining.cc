// transform: calls that the program's own build left stay calls.
#include "transform/program/own_inlining.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace thalweg::transform {

using namespace llvm;

void keep_own_inlining(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : instructions(function)) {
            auto *call = dyn_cast<CallBase>(&instruction);
            const Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && !callee->isDeclaration() && !callee->hasFnAttribute(Attribute::AlwaysInline) &&
                !call->hasFnAttr(Attribute::AlwaysInline))
                call->setIsNoInline();
        }
}

}  // namespace thalweg::transform
