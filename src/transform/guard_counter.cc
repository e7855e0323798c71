// transform: an optimised program that is recorded tells how often its guards held.
#include "transform/guard_counter.h"

#include <algorithm>

#include "llvm/IR/IRBuilder.h"

namespace thalweg::transform {

using namespace llvm;

void GuardCounter::count(BasicBlock *block, uint32_t decision, bool held) {
    if (!enabled_)
        return;
    decisions_ = std::max<uint64_t>(decisions_, uint64_t{decision} + 1);
    IRBuilder<> builder(block->getTerminator());
    builder.SetCurrentDebugLocation(block->getTerminator()->getDebugLoc());
    Constant *counters = module_.getOrInsertGlobal("thalweg_probe_guards", builder.getPtrTy());
    Value *first = builder.CreateLoad(builder.getPtrTy(), counters);
    const uint64_t index = 2 * uint64_t{decision} + (held ? 0 : 1);
    Value *counter = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), first, index);
    Value *more = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1));
    builder.CreateStore(more, counter);
}

void GuardCounter::emit() {
    if (!enabled_)
        return;
    Type *i64 = Type::getInt64Ty(module_.getContext());
    auto *count = new GlobalVariable(module_, i64, true, GlobalValue::ExternalLinkage,
                                     ConstantInt::get(i64, decisions_), "thalweg_probe_guard_count");
    count->setVisibility(GlobalValue::HiddenVisibility);
}

}  // namespace thalweg::transform
