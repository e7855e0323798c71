// transform: puts probes behind system calls, and before what gives memory back (src/abi/probe.h).
#include "transform/probe/system_call.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/probe.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

struct Abi {
    FunctionCallee system_call;
    FunctionCallee before_call;
    GlobalVariable *call_timed;
    FunctionCallee release;
    Constant *blocks;
};

Abi declare_abi(Module &module) {
    return {
        declare(module, ABI_SYMBOL(thalweg_probe_system_call)), declare(module, ABI_SYMBOL(thalweg_probe_before_call)),
        declare_of_thread(module, ABI_SYMBOL(thalweg_probe_call_timed)),
        declare(module, ABI_SYMBOL(thalweg_probe_release)),
        module.getOrInsertGlobal(ABI_SYMBOL(thalweg_probe_blocks).name,
                                 ArrayType::get(Type::getInt8Ty(module.getContext()), sizeof thalweg_probe_blocks))};
}

// They put bytes behind one another; of the sending ones it is the other side that says where they end.
bool puts_into_file(knowledge::Act act) {
    return act == knowledge::Act::writes || act == knowledge::Act::writes_at || act == knowledge::Act::writes_parts;
}

uint64_t flags_of(const knowledge::SystemCall &called) {
    uint64_t flags = 0;
    switch (called.gives) {
    case knowledge::Gives::error_number:
        flags = knowledge::is_memory(called.act) ? THALWEG_CALL_GIVES_ADDRESS : THALWEG_CALL_GIVES_ERROR_NUMBER;
        break;
    case knowledge::Gives::bytes:
        flags = THALWEG_CALL_GIVES_BYTES;
        break;
    case knowledge::Gives::descriptor:
        flags = THALWEG_CALL_GIVES_DESCRIPTOR;
        break;
    case knowledge::Gives::address:
        flags = THALWEG_CALL_GIVES_ADDRESS;
        break;
    case knowledge::Gives::status:
    case knowledge::Gives::offset:
        break;
    }
    return flags | (called.size >= 0 ? THALWEG_CALL_HAS_SIZE : 0) |
           (puts_into_file(called.act) ? THALWEG_CALL_IS_WRITE : 0);
}

class CallProbe {
  public:
    CallProbe(const Abi &abi, CallBase &call, uint32_t site)
        : abi_(abi), call_(call), called_(*marked_system_call(call)), site_(site) {}

    void insert() {
        // What is given back may be another's at once: it is asked about before.
        if (called_.act == knowledge::Act::takes_block_back)
            return ask_about_release(THALWEG_CALL_IS_COUNTED);
        if (called_.act == knowledge::Act::resizes_block || called_.act == knowledge::Act::unmaps)
            ask_about_release(0);
        Value *size = number(called_.size, 0);
        const auto *known = dyn_cast<ConstantInt>(size);
        if (knowledge::is_memory(called_.act) && known && known->getZExtValue() < THALWEG_PROBE_LARGE_BLOCK)
            return;
        tell_before(size);
        Instruction *at = behind();
        if (knowledge::is_memory(called_.act)) {
            IRBuilder<> builder(at);
            builder.SetCurrentDebugLocation(call_.getDebugLoc());
            at = SplitBlockAndInsertIfThen(builder.CreateICmpUGE(size, builder.getInt64(THALWEG_PROBE_LARGE_BLOCK)), at,
                                           false, rarely());
        }
        tell(at);
    }

  private:
    MDNode *rarely() const { return MDBuilder(call_.getContext()).createBranchWeights(1, 1000); }

    Instruction *behind() {
        auto *invoke = dyn_cast<InvokeInst>(&call_);
        if (!invoke)
            return call_.getNextNode();
        return &*SplitEdge(invoke->getParent(), invoke->getNormalDest())->getFirstInsertionPt();
    }

    // The argument at this position; null: the program's declaration has no such one.
    Value *argument(int position) const {
        const bool is_there = position >= 0 && static_cast<unsigned>(position) < call_.arg_size();
        return is_there ? call_.getArgOperand(static_cast<unsigned>(position)) : nullptr;
    }

    static Value *as_number(IRBuilder<> &builder, Value *value, int64_t otherwise, bool is_signed) {
        Type *i64 = builder.getInt64Ty();
        if (value && value->getType()->isIntegerTy())
            return is_signed ? builder.CreateSExtOrTrunc(value, i64) : builder.CreateZExtOrTrunc(value, i64);
        if (value && value->getType()->isPointerTy())
            return builder.CreatePtrToInt(value, i64);
        return builder.getInt64(static_cast<uint64_t>(otherwise));
    }

    Value *number(int position, int64_t otherwise) const {
        IRBuilder<> builder(&call_);
        builder.SetCurrentDebugLocation(call_.getDebugLoc());
        return as_number(builder, argument(position), otherwise, position != called_.size);
    }

    Value *block(int position) const {
        Value *value = argument(position);
        if (value && value->getType()->isPointerTy())
            return value;
        return ConstantPointerNull::get(PointerType::getUnqual(call_.getContext()));
    }

    // posix_memalign gives its address where its first argument points to.
    Value *result(IRBuilder<> &builder) const {
        Value *own = as_number(builder, &call_, 0, true);
        Value *where = argument(0);
        const bool gives_elsewhere =
            called_.act == knowledge::Act::stores_aligned_block && where && where->getType()->isPointerTy();
        if (!gives_elsewhere)
            return own;
        Value *given = builder.CreateLoad(builder.getInt64Ty(), where);
        return builder.CreateSelect(builder.CreateICmpEQ(own, builder.getInt64(0)), given, builder.getInt64(0));
    }

    Value *call_number(uint64_t flags) const {
        return ConstantInt::get(Type::getInt64Ty(call_.getContext()), flags << 32 | site_);
    }

    // Where the time since the call before is wanted.
    void tell_before(Value *size) const {
        IRBuilder<> builder(&call_);
        builder.SetCurrentDebugLocation(call_.getDebugLoc());
        Value *timed = builder.CreateLoad(builder.getInt8Ty(), builder.CreateThreadLocalAddress(abi_.call_timed));
        Value *wanted = builder.CreateICmpNE(timed, builder.getInt8(0));
        if (knowledge::is_memory(called_.act))
            wanted =
                builder.CreateAnd(wanted, builder.CreateICmpUGE(size, builder.getInt64(THALWEG_PROBE_LARGE_BLOCK)));
        IRBuilder<> telling(SplitBlockAndInsertIfThen(wanted, &call_, false, rarely()));
        telling.SetCurrentDebugLocation(call_.getDebugLoc());
        telling.CreateCall(abi_.before_call, {call_number(flags_of(called_))});
    }

    void tell(Instruction *at) const {
        Value *descriptor = number(called_.descriptor, -1);
        Value *size = number(called_.size, 0);
        Value *offset = number(called_.offset, -1);
        IRBuilder<> builder(at);
        builder.SetCurrentDebugLocation(call_.getDebugLoc());
        builder.CreateCall(abi_.system_call, {call_number(flags_of(called_)), descriptor, block(called_.buffer), size,
                                              offset, result(builder)});
    }

    void ask_about_release(uint64_t flags) const {
        Value *given_back = block(called_.buffer);
        IRBuilder<> builder(&call_);
        builder.SetCurrentDebugLocation(call_.getDebugLoc());
        Value *page =
            builder.CreateLShr(builder.CreatePtrToInt(given_back, builder.getInt64Ty()), THALWEG_PROBE_PAGE_BITS);
        Value *index = builder.CreateAnd(page, sizeof thalweg_probe_blocks - 1);
        Value *byte =
            builder.CreateLoad(builder.getInt8Ty(), builder.CreateGEP(builder.getInt8Ty(), abi_.blocks, index));
        Value *is_set = builder.CreateICmpNE(byte, builder.getInt8(0));
        IRBuilder<> asking(SplitBlockAndInsertIfThen(is_set, &call_, false, rarely()));
        asking.SetCurrentDebugLocation(call_.getDebugLoc());
        asking.CreateCall(abi_.release, {call_number(flags), given_back});
    }

    const Abi &abi_;
    CallBase &call_;
    const knowledge::SystemCall &called_;
    uint32_t site_;
};

}  // namespace

void insert_system_call_probes(Module &module, uint32_t first) {
    std::vector<std::pair<CallBase *, uint32_t>> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            // A call that was copied to where it takes the place of a return keeps its mark, and has nothing behind it.
            if (auto *call = dyn_cast<CallBase>(&instruction); call && marked_system_call(*call))
                calls.emplace_back(call, first + system_call_of(*call));
    if (calls.empty())
        return;
    const Abi abi = declare_abi(module);
    SmallSetVector<Function *, 16> changed;
    for (auto &[call, site] : calls) {
        changed.insert(call->getFunction());
        CallProbe(abi, *call, site).insert();
    }
    forget_effects_of_callers(changed.getArrayRef());
}

}  // namespace thalweg::transform
