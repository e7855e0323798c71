// transform: the thread's countdown of probes.
#include "transform/probe/countdown.h"

#include "llvm/IR/MDBuilder.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// One in so many takes the branch, as LLVM is told. The recorder's gaps are longer (src/recorder/thread.cc).
constexpr uint32_t rarely = 1000;

}  // namespace

GlobalVariable *declare_countdown(Module &module) {
    auto *countdown = cast<GlobalVariable>(
        module.getOrInsertGlobal("thalweg_probe_countdown", Type::getInt32Ty(module.getContext())));
    countdown->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return countdown;
}

Value *count_down(IRBuilder<> &builder, GlobalVariable &countdown) {
    Value *address = builder.CreateThreadLocalAddress(&countdown);
    Value *left = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), address), builder.getInt32(1));
    builder.CreateStore(left, address);
    return builder.CreateICmpSLT(left, builder.getInt32(0));
}

MDNode *rarely_taken(LLVMContext &context) { return MDBuilder(context).createBranchWeights(1, rarely); }

}  // namespace thalweg::transform
