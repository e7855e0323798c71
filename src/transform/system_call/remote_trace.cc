// transform: follows a function from one remote call to the next, as if each had success.
#include "transform/system_call/remote_trace.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/abstract/successor.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

std::string name_of_called(const CallBase &call) {
    if (call.isInlineAsm())
        return "assembler";
    const Function *called = call.getCalledFunction();
    return called ? "a call of " + called->getName().str() : "a call through a pointer";
}

// Why the instruction may not stand between two calls; empty: it may.
std::string hindrance(const Instruction &one) {
    if (one.isVolatile() || one.isAtomic())
        return "a volatile or atomic access";
    if (isa<StoreInst, LoadInst, MemIntrinsic, DbgInfoIntrinsic>(one))
        return {};
    if (const auto *call = dyn_cast<CallBase>(&one)) {
        if (call->isLifetimeStartOrEnd() || isa<AssumeInst>(call))
            return {};
        const bool only_computes = call->onlyReadsMemory() && call->doesNotThrow() && call->willReturn();
        return only_computes && isa<CallInst>(call) ? std::string() : name_of_called(*call);
    }
    if (isa<AllocaInst>(one))
        return "a local variable of unknown size";
    return one.mayHaveSideEffects() ? std::string("an ") + one.getOpcodeName() : std::string();
}

class Walker {
  public:
    explicit Walker(function_ref<bool(const CallBase &)> is_remote) : is_remote_(is_remote) {}

    RemoteTrace follow(CallInst &first) {
        take_call(first);
        Instruction *at = first.getNextNode();
        while (at && trace_.end.empty())
            at = pass(*at);
        return std::move(trace_);
    }

  private:
    // The next one on the way; null: it ends here.
    Instruction *pass(Instruction &one) {
        if (auto *call = dyn_cast<CallInst>(&one); call && is_remote_(*call)) {
            take_call(*call);
            return one.getNextNode();
        }
        if (one.isTerminator())
            return leave(one);
        if (std::string why = hindrance(one); !why.empty()) {
            trace_.end = why + " stands between";
            return nullptr;
        }
        if (one.mayWriteToMemory() && !isa<DbgInfoIntrinsic>(one) && !one.isLifetimeStartOrEnd() &&
            !isa<AssumeInst>(one))
            trace_.writes.push_back({&one, static_cast<unsigned>(trace_.calls.size())});
        learn(one);
        return one.getNextNode();
    }

    void take_call(CallInst &call) {
        trace_.calls.push_back(&call);
        known_[&call] = Constant::getNullValue(call.getType());  // RPC_SUCCESS
    }

    Value *value_of(Value *value) const {
        const auto found = known_.find(value);
        return found == known_.end() ? value : found->second;
    }

    void learn(Instruction &one) {
        if (one.getType()->isVoidTy() || isa<PHINode>(one))
            return;
        SmallVector<Value *, 4> operands;
        bool is_new = false;
        for (Value *operand : one.operands()) {
            operands.push_back(value_of(operand));
            is_new |= operands.back() != operand;
        }
        if (!is_new)
            return;
        if (Value *simple = simplifyInstructionWithOperands(&one, operands, SimplifyQuery(one.getDataLayout(), &one)))
            known_[&one] = simple;
    }

    Instruction *leave(Instruction &end) {
        BasicBlock *next = isa<BranchInst>(end) ? end.getParent()->getSingleSuccessor() : nullptr;
        if (Value *asked = abstract::asked_by(end)) {
            const auto *which = dyn_cast<ConstantInt>(value_of(asked));
            next = which ? abstract::known_successor(end, which->getValue()) : nullptr;
        }
        if (!next) {
            trace_.end =
                end.getNumSuccessors() == 0 ? "the function ends" : "more than its success decides what follows";
            return nullptr;
        }
        if (next == trace_.calls.front()->getParent() || !passed_.insert(next).second) {
            trace_.end = "a loop goes round";
            return nullptr;
        }
        abstract::take_phis(
            *end.getParent(), *next, [&](Value &value) { return value_of(&value); },
            [&](PHINode &phi, Value *value) { known_[&phi] = value; });
        return &*next->getFirstNonPHIIt();
    }

    function_ref<bool(const CallBase &)> is_remote_;
    RemoteTrace trace_;
    DenseMap<Value *, Value *> known_;
    SmallPtrSet<BasicBlock *, 16> passed_;
};

}  // namespace

RemoteTrace follow_remote_calls(CallInst &first, function_ref<bool(const CallBase &)> is_remote) {
    return Walker(is_remote).follow(first);
}

}  // namespace thalweg::transform
