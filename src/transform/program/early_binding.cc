// transform: by the counts of blocks, LLVM's attribute nonlazybind.
#include "transform/program/early_binding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool is_of_library(const Function *callee) {
    return callee && callee->isDeclaration() && !callee->isIntrinsic() && !callee->hasExternalWeakLinkage() &&
           !callee->hasDLLImportStorageClass();
}

// LLVM may call a function of the C library for it, by a name that the module doesn't have.
bool moves_memory(const Instruction &instruction) { return isa<MemIntrinsic>(instruction); }

}  // namespace

void bind_what_was_called(Module &module, FunctionAnalysisManager &analyses) {
    bool any_unnamed = false;
    for (Function &function : module) {
        if (function.isDeclaration() || !function.getEntryCount() || function.getEntryCount()->getCount() == 0)
            continue;
        const auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
        for (const BasicBlock &block : function) {
            if (frequencies.getBlockProfileCount(&block).value_or(0) == 0)
                continue;
            for (const Instruction &instruction : block)
                if (const auto *call = dyn_cast<CallBase>(&instruction)) {
                    Function *callee = call->getCalledFunction();
                    any_unnamed |= moves_memory(instruction);
                    if (is_of_library(callee))
                        callee->addFnAttr(Attribute::NonLazyBind);
                }
        }
    }
    // A program that was compiled without the table (-fno-plt) says so itself, and a module says it once.
    if (any_unnamed && !module.getRtLibUseGOT())
        module.setRtLibUseGOT();
}

}  // namespace thalweg::transform
