// transform: the calls, and LLVM's own promotion of them. LLVM's pass promotes no call of a function that has no body here, for it gains nothing by it.
#include "transform/libc/block_pointer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/IndirectCallPromotionAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Transforms/Instrumentation.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

#include "transform/ir/function_effects.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A callee, how often a call was one of it, and how often one of it or of those that are asked for behind it.
struct Candidate {
    Function *callee = nullptr;
    uint64_t count = 0;
    uint64_t total = 0;
};

SmallVector<CallBase *> calls_through_pointers(Module &module) {
    SmallVector<CallBase *> calls;
    for (Function &function : module)
        for (Instruction &one : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&one); call && call->isIndirectCall() && !call->isMustTailCall() &&
                                                       !call->hasOperandBundles() &&
                                                       call->getCallingConv() == CallingConv::C)
                calls.push_back(call);
    return calls;
}

bool may_reach(const CallBase &call, Function &callee) {
    return call.getFunctionType() == callee.getFunctionType() && isLegalToPromote(call, &callee);
}

// As LLVM would promote it, the most frequent one first.
SmallVector<Candidate> candidates(const CallBase &call, ArrayRef<Function *> callees) {
    ICallPromotionAnalysis analysis;
    uint64_t total = 0;
    uint32_t count = 0;
    SmallVector<Candidate> found;
    for (const InstrProfValueData &value :
         analysis.getPromotionCandidatesForInstruction(&call, total, count).take_front(count))
        for (Function *callee : callees)
            if (value.Value == IndexedInstrProf::ComputeHash(callee->getName()) && may_reach(call, *callee)) {
                found.push_back({callee, std::min(value.Count, total), total});
                total -= found.back().count;
            }
    return found;
}

void promote(CallBase &call, const Candidate &candidate) {
    MDNode *weights = nullptr;
    if (candidate.total != 0) {
        const uint64_t other = candidate.total - candidate.count;
        const uint64_t scale = calculateCountScale(std::max(candidate.count, other));
        weights = MDBuilder(call.getContext())
                      .createBranchWeights(scaleBranchCount(candidate.count, scale), scaleBranchCount(other, scale));
    }
    promoteCallWithIfThenElse(call, candidate.callee, weights);  // `call` itself stays the one through the pointer
}

}  // namespace

void ask_pointers_as_recorded(Module &module, ArrayRef<Function *> callees) {
    SmallVector<Function *> callers;
    for (CallBase *call : calls_through_pointers(module))
        for (const Candidate &one : candidates(*call, callees)) {
            callers.push_back(call->getFunction());
            promote(*call, one);
        }
    forget_effects_of_callers(callers);
}

void ask_all_pointers(Function &callee) {
    if (!callee.hasAddressTaken())
        return;
    SmallVector<Function *> callers;
    for (CallBase *call : calls_through_pointers(*callee.getParent()))
        if (may_reach(*call, callee)) {
            callers.push_back(call->getFunction());
            promote(*call, {&callee, 0, 0});
        }
    forget_effects_of_callers(callers);
}

}  // namespace thalweg::transform
