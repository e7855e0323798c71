// transform: puts probes where events are triggered and where coroutines go on (src/abi/probe.h).
#include "transform/probe/wait.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/probe/slot.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

struct WaitAbi {
    FunctionCallee trigger;
    FunctionCallee go_on;
    FunctionCallee leave;
};

WaitAbi declare_abi(Module &module) {
    return {declare(module, ABI_SYMBOL(thalweg_probe_trigger)), declare(module, ABI_SYMBOL(thalweg_probe_go_on)),
            declare(module, ABI_SYMBOL(thalweg_probe_leave))};
}

// One function's sites.
class FunctionProbe {
  public:
    FunctionProbe(const WaitAbi &abi, Slots &slots, Function &function)
        : abi_(abi), slots_(slots), function_(function) {
        IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        entered_ = builder.CreateAlloca(builder.getInt32Ty());
        builder.CreateStore(builder.getInt32(nowhere), entered_);
    }

    void insert(const WaitSite &site, uint32_t number) {
        Instruction *at = site.block ? &*site.block->getFirstInsertionPt() : entered_->getNextNode()->getNextNode();
        IRBuilder<> builder(at);
        builder.SetCurrentDebugLocation(location());
        const SlotChoice slot{slots_.count++};
        Instruction *ask = SplitBlockAndInsertIfThen(count_down(builder, slots_, slot), at, false,
                                                     rarely_taken(function_.getContext()));
        builder.SetInsertPoint(ask);
        Value *frame = builder.CreateIntrinsic(Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
        const bool is_trigger = site.key.kind == model::SiteKind::trigger;
        Value *told = is_trigger ? static_cast<Value *>(function_.getArg(0)) : &function_;
        Value *yes = builder.CreateCall(is_trigger ? abi_.trigger : abi_.go_on,
                                        {builder.getInt32(number), number_of(builder, slot), told, frame});
        Value *where = builder.CreateSelect(builder.CreateICmpNE(yes, builder.getInt32(0)), builder.getInt32(number),
                                            builder.getInt32(nowhere));
        builder.CreateStore(where, entered_);
    }

    // Before each return, and each call in place of one. Exceptions tell nobody (probe_enter mends the nesting later).
    void finish() {
        SmallVector<Instruction *> ends;
        for (BasicBlock &block : function_) {
            if (CallInst *last = block.getTerminatingMustTailCall())
                ends.push_back(last);
            else if (isa<ReturnInst>(block.getTerminator()))
                ends.push_back(block.getTerminator());
        }
        for (Instruction *end : ends) {
            IRBuilder<> builder(end);
            builder.SetCurrentDebugLocation(location());
            Value *site = builder.CreateLoad(builder.getInt32Ty(), entered_);
            Value *is_noted = builder.CreateICmpNE(site, builder.getInt32(nowhere));
            IRBuilder<> leaving(SplitBlockAndInsertIfThen(is_noted, end, false));
            leaving.SetCurrentDebugLocation(location());
            // Never as a tail call: the recorder tells by the caller's stack which dispatches are over.
            leaving.CreateCall(abi_.leave, {site})->setTailCallKind(CallInst::TCK_NoTail);
        }
    }

  private:
    static constexpr uint32_t nowhere = UINT32_MAX;

    DILocation *location() const {
        DISubprogram *function = function_.getSubprogram();
        return function ? DILocation::get(function_.getContext(), function->getLine(), 0, function) : nullptr;
    }

    const WaitAbi &abi_;
    Slots &slots_;
    Function &function_;
    AllocaInst *entered_;  // at which site the recorder notes this entry
};

}  // namespace

void insert_wait_probes(Module &module, const std::vector<WaitSite> &sites, uint32_t first, Slots &slots) {
    if (sites.empty())
        return;
    const WaitAbi abi = declare_abi(module);
    for (size_t i = 0; i < sites.size();) {
        Function *function = sites[i].function;
        FunctionProbe probe(abi, slots, *function);
        for (; i < sites.size() && sites[i].function == function; ++i)
            probe.insert(sites[i], first + static_cast<uint32_t>(i));
        probe.finish();
    }
}

}  // namespace thalweg::transform
