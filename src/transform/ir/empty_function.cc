// transform: functions without an instruction.
#include "transform/ir/empty_function.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace thalweg::transform {

void fill_empty_functions(Module &module) {
    for (Function &function : module) {
        if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
            continue;
        Instruction *first = function.getEntryBlock().getFirstNonPHIOrDbg();
        if (isa_and_nonnull<UnreachableInst>(first))
            IRBuilder<>(first).CreateIntrinsic(Intrinsic::trap, {}, {});
    }
}

}  // namespace thalweg::transform
