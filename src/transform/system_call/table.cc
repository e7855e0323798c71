// transform: system calls that a program makes through a table of its own.
#include "transform/system_call/table.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

#include "knowledge/function.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What the variable holds at first; null: no system call.
Function *tabled(const CallInst &call) {
    const auto *load = dyn_cast<LoadInst>(call.getCalledOperand());
    if (!load || !load->isSimple())
        return nullptr;
    const DataLayout &layout = call.getModule()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto *table = dyn_cast<GlobalVariable>(base);
    if (!table || !table->hasInitializer())
        return nullptr;
    auto *held = dyn_cast_or_null<Function>(
        ConstantFoldLoadFromConst(const_cast<Constant *>(table->getInitializer()), load->getType(), offset, layout));
    if (!held || !held->isDeclaration())
        return nullptr;
    const knowledge::SystemCall *kind = knowledge::system_call(std::string_view(held->getName()));
    return kind && !knowledge::is_memory(kind->act) && isLegalToPromote(call, held) ? held : nullptr;
}

}  // namespace

void call_tabled_directly(Module &module) {
    SmallVector<std::pair<CallInst *, Function *>> found;
    for (Function &function : module)
        for (Instruction &one : instructions(function)) {
            auto *call = dyn_cast<CallInst>(&one);
            if (!call || !call->isIndirectCall() || call->isMustTailCall() || call->hasOperandBundles())
                continue;
            if (Function *held = tabled(*call))
                found.emplace_back(call, held);
        }
    for (const auto &[call, held] : found)
        promoteCallWithIfThenElse(*call, held);
}

}  // namespace thalweg::transform
