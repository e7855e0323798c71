// transform: an optimised program that is recorded tells how often its guards held.
#include "transform/ir/guard_counter.h"

#include <algorithm>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include "abi/probe.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

Function *new_mark(Module &module) {
    auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
    Function *mark = Function::Create(type, GlobalValue::ExternalLinkage, "thalweg.mark", module);
    mark->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (const Attribute::AttrKind kind :
         {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree, Attribute::NoSync, Attribute::NoCallback})
        mark->addFnAttr(kind);
    return mark;
}

}  // namespace

void GuardCounter::count(BasicBlock *block, uint32_t decision, bool held) {
    if (enabled_)
        add(block->getTerminator(), decision, held, 1);
}

void GuardCounter::add(Instruction *at, uint32_t decision, bool held, int64_t more) {
    decisions_ = std::max<uint64_t>(decisions_, uint64_t{decision} + 1);
    IRBuilder<> builder(at);
    Constant *counters = module_.getOrInsertGlobal(ABI_SYMBOL(thalweg_probe_guards).name, builder.getPtrTy());
    Value *first = builder.CreateLoad(builder.getPtrTy(), counters);
    const uint64_t index = 2 * uint64_t{decision} + (held ? 0 : 1);
    Value *counter = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), first, index);
    Value *sum = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(more));
    builder.CreateStore(sum, counter);
}

GuardCounter::Marks GuardCounter::marks_of(uint32_t decision) {
    if (!enabled_)
        return {};
    const Marks marks{new_mark(module_), new_mark(module_)};
    marks_.emplace_back(decision, marks);
    return marks;
}

// Whoever enters keeps to the facts until one does not hold: then the entry is a failure, and no hit.
void GuardCounter::put_for(Function &mark, uint32_t decision, bool entered) {
    while (!mark.use_empty()) {
        auto *call = cast<CallInst>(mark.user_back());
        add(call, decision, true, entered ? 1 : -1);
        if (!entered)
            add(call, decision, false, 1);
        call->eraseFromParent();
    }
    mark.eraseFromParent();
}

void GuardCounter::emit() {
    if (!enabled_)
        return;
    for (const auto &[decision, marks] : marks_) {
        put_for(*marks.entered, decision, true);
        put_for(*marks.left, decision, false);
    }
    define(module_, ABI_SYMBOL(thalweg_probe_guard_count), decisions_);
}

}  // namespace thalweg::transform
