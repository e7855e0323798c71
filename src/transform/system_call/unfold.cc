// transform: brings system calls of several functions into one that calls them, by unfolding what lies between.
#include "transform/system_call/unfold.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "transform/ir/rounding.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// In instructions. sqlite3's way from a page to pwrite64 has 60, tar's from a block to write 40.
constexpr unsigned largest_unfolded = 200;
constexpr unsigned largest_root = 4000;
constexpr unsigned most_growth = 2000;
constexpr size_t most_leading = 64;
constexpr size_t most_roots = 64;

bool can_be_unfolded(const Function &function) {
    return !function.isDeclaration() && !function.isVarArg() && !function.isInterposable() &&
           !function.isPresplitCoroutine() && !function.hasFnAttribute(Attribute::Naked) &&
           !function.hasFnAttribute(Attribute::OptimizeNone) && !function.callsFunctionThatReturnsTwice() &&
           function.getInstructionCount() <= largest_unfolded && why_rounding_stays(function).empty();
}

const CallBase *call_by(const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use) ? call : nullptr;
}

// Where in tables of functions it stands, in bytes; empty: not in tables alone.
std::vector<uint64_t> places_in_tables(const Function &function) {
    const DataLayout &layout = function.getParent()->getDataLayout();
    std::vector<uint64_t> places;
    for (const Use &use : function.uses()) {
        if (call_by(use))
            continue;
        const auto *table = dyn_cast<ConstantStruct>(use.getUser());
        if (!table)
            return {};
        places.push_back(layout.getStructLayout(table->getType())->getElementOffset(use.getOperandNo()));
    }
    return places;
}

// Whether the pointer is read from such a place: of a table of reading and writing functions, not the one that reads.
bool may_lead_to(const CallBase &call, const Function &target) {
    const std::vector<uint64_t> places = places_in_tables(target);
    const auto *load = dyn_cast<LoadInst>(call.getCalledOperand());
    if (!load || places.empty())
        return true;
    const DataLayout &layout = call.getModule()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    return is_contained(places, offset.getZExtValue());
}

}  // namespace

Unfolder::Unfolder(Module &module, ArrayRef<Function *> holders) : module_(module) {
    for (Function *holder : holders)
        if (can_be_unfolded(*holder))
            leading_.insert(holder);
    for (size_t i = 0; i < leading_.size() && leading_.size() < most_leading; ++i)
        for (const Use &use : leading_[i]->uses())
            if (const CallBase *call = call_by(use); call && can_be_unfolded(*call->getFunction()))
                leading_.insert(const_cast<Function *>(call->getFunction()));
    for (Function *one : leading_)
        if (one->hasAddressTaken()) {
            const auto [place, is_new] = through_pointers_.try_emplace(one->getFunctionType(), one);
            if (!is_new)
                place->second = nullptr;
        }
}

Function *Unfolder::target_of(const CallBase &call) const {
    if (!isa<CallInst>(call) || call.hasOperandBundles() || call.isMustTailCall() || call.isInlineAsm())
        return nullptr;
    if (Function *callee = call.getCalledFunction())
        return leading_.contains(callee) ? callee : nullptr;
    Function *target = call.isIndirectCall() ? through_pointers_.lookup(call.getFunctionType()) : nullptr;
    return target && isLegalToPromote(call, target) && may_lead_to(call, *target) ? target : nullptr;
}

std::vector<Function *> Unfolder::roots() const {
    std::vector<Function *> found;
    for (Function &function : module_) {
        if (function.isDeclaration() || found.size() == most_roots)
            continue;
        unsigned ways = 0;
        for (const Instruction &one : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&one); call && target_of(*call) && target_of(*call) != &function)
                ++ways;
        if (ways >= 2 && function.getInstructionCount() <= largest_root)
            found.push_back(&function);
    }
    return found;
}

void Unfolder::unfold(Function &root) const {
    const unsigned most = root.getInstructionCount() + most_growth;
    SmallVector<CallBase *> open;
    const auto take = [&](Instruction &one) {
        if (auto *call = dyn_cast<CallBase>(&one); call && target_of(*call))
            open.push_back(call);
    };
    for (Instruction &one : instructions(root))
        take(one);
    for (size_t i = 0; i < open.size() && root.getInstructionCount() < most; ++i) {
        Function *target = target_of(*open[i]);
        CallBase &call = open[i]->getCalledFunction() ? *open[i] : promoteCallWithIfThenElse(*open[i], target);
        InlineFunctionInfo info;
        if (!InlineFunction(call, info).isSuccess())
            continue;
        for (CallBase *inlined : info.InlinedCallSites)
            take(*inlined);
    }
}

bool Unfolder::unfold_call(CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !isa<CallInst>(call) || callee == call.getFunction() || !can_be_unfolded(*callee))
        return false;
    InlineFunctionInfo info;
    return InlineFunction(call, info).isSuccess();
}

}  // namespace thalweg::transform
