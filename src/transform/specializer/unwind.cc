// transform: exceptions in unfolded functions: from what throws to the landing pad around it, in this frame or in a caller's, as LLVM's
// inliner has it (InlineFunction).
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/ir/hot_path.h"
#include "transform/specializer/evaluator.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// What catches an exception that leaves a frame. No invoke: the exception leaves the residual function, or there can be none.
Catcher catcher_above(const Context *context) {
    for (; context->call; context = context->caller) {
        if (context->call->doesNotThrow() || context->info->function().doesNotThrow())
            return {};
        if (auto *invoke = dyn_cast<InvokeInst>(context->call))
            return {context->caller, invoke};
    }
    return {};
}

// A copy of the catcher's landing pad that stops also what only the pads further out want: the functions are one now, and what
// the inner one does not catch it hands on with `resume`.
LandingPadInst *pad_for(const Catcher &catcher, BasicBlock &block) {
    auto *pad = cast<LandingPadInst>(catcher.invoke->getLandingPadInst()->clone());
    pad->insertInto(&block, block.end());
    for (Catcher outer = catcher_above(catcher.context); outer.invoke; outer = catcher_above(outer.context)) {
        const LandingPadInst &more = *outer.invoke->getLandingPadInst();
        for (unsigned i = 0; i < more.getNumClauses(); ++i)
            pad->addClause(more.getClause(i));
        pad->setCleanup(pad->isCleanup() || more.isCleanup());
    }
    return pad;
}

// LLVM has a function that splits the block; this one has no end yet.
InvokeInst *as_invoke(CallInst &call, BasicBlock *normal, BasicBlock *unwind) {
    const SmallVector<Value *> arguments(call.args());
    auto *invoke = InvokeInst::Create(call.getFunctionType(), call.getCalledOperand(), normal, unwind, arguments);
    invoke->setCallingConv(call.getCallingConv());
    invoke->setAttributes(call.getAttributes());
    invoke->copyMetadata(call);
    if (!call.getMetadata(LLVMContext::MD_prof))
        invoke->setMetadata(LLVMContext::MD_prof, likely(call.getContext()));
    invoke->takeName(&call);
    ReplaceInstWithInst(&call, invoke);
    return invoke;
}

}  // namespace

Catcher Evaluator::catcher_of(CallBase &call, const Function *callee) const {
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
        return {state_.context, invoke};
    if (call.doesNotThrow() || (callee && (callee->doesNotThrow() || callee->isIntrinsic())))
        return {};
    return catcher_above(state_.context);
}

// `thrown` is what is known where the exception leaves the frame that throws it.
void Evaluator::hand_on(Value *exception, const Catcher &catcher, State thrown) {
    for (const Context *frame = thrown.context; frame != catcher.context; frame = frame->caller)
        end_frame(*frame, thrown);
    thrown.context = catcher.context;
    LandingPadInst *pad = catcher.invoke->getLandingPadInst();
    const auto place_of_own = [&](const Value *value) {
        return Place{catcher.context->id, catcher.context->info->number_of(value)};
    };
    const Place place = place_of_own(pad);
    builder_.CreateStore(exception, engine_.residual().variable(place, pad->getType()));
    thrown.set(place, {});
    thrown.set(place_of_own(catcher.invoke), {});
    go_to(builder_.GetInsertBlock(), std::move(thrown), catcher.invoke->getParent(), catcher.invoke->getUnwindDest());
}

// A call that may throw, inside of an invoke that is its own or that of an unfolded caller.
bool Evaluator::invoke_residual(CallBase &call, Function *callee, const Catcher &catcher) {
    BasicBlock *normal = open_block("normal");
    BasicBlock *unwind = open_block("unwind");
    auto *copy = cast<CallBase>(emit(call, false));
    stay_out_of_line(*copy);
    if (auto *plain = dyn_cast<CallInst>(copy))
        copy = as_invoke(*plain, normal, unwind);
    cast<InvokeInst>(copy)->setNormalDest(normal);
    cast<InvokeInst>(copy)->setUnwindDest(unwind);
    forget_after(call, callee);

    const auto reachable = local_;
    LandingPadInst *caught = pad_for(catcher, *unwind);
    caught->setDebugLoc(engine_.locations().of(catcher.context, *catcher.invoke->getLandingPadInst()));
    builder_.SetInsertPoint(unwind);
    State thrown = state_;
    thrown.trace = engine_.new_trace();
    hand_on(caught, catcher, std::move(thrown));

    local_ = reachable;
    builder_.SetInsertPoint(normal);
    define_result(call, copy);
    auto *invoke = dyn_cast<InvokeInst>(&call);
    if (!invoke)
        return true;
    State returned = state_;
    returned.trace = engine_.new_trace();
    go_to(normal, std::move(returned), invoke->getParent(), invoke->getNormalDest());
    return false;
}

bool Evaluator::resume(Instruction &instruction) {
    const Catcher catcher = catcher_above(state_.context);
    if (!catcher.invoke)
        return end(instruction);
    hand_on(residual_of(instruction.getOperand(0)), catcher, state_);
    return false;
}

}  // namespace thalweg::transform::specializer
