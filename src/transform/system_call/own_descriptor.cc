// transform: follows a descriptor back to the calls that opened it.
#include "transform/system_call/own_descriptor.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "transform/ir/use.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A child has its parent's offsets; so has who gets a descriptor in a message. Where a descriptor may be made another file's, or calls are
// made by number, by a ring or in the background, anything may happen.
bool shares_offsets(const knowledge::Function &function) { return function.offsets != knowledge::Offsets::own; }

bool opens_a_path(knowledge::Act act) {
    return act == knowledge::Act::opens || act == knowledge::Act::opens_at || act == knowledge::Act::creates;
}

class Tracer {
  public:
    bool is_own(const Value &value) {
        if (!seen_.insert(&value).second)
            return true;
        if (const auto *number = dyn_cast<ConstantInt>(&value))
            return number->isNegative();  // no descriptor at all
        if (const auto *phi = dyn_cast<PHINode>(&value))
            return all_of(phi->incoming_values(), [&](const Use &one) { return is_own(*one.get()); });
        if (const auto *choice = dyn_cast<SelectInst>(&value))
            return is_own(*choice->getTrueValue()) && is_own(*choice->getFalseValue());
        if (isa<FreezeInst>(value) || isa<TruncInst>(value) || isa<SExtInst>(value) || isa<ZExtInst>(value))
            return is_own(*cast<Instruction>(value).getOperand(0));
        if (const auto *argument = dyn_cast<Argument>(&value))
            return all_callers_own(*argument);
        const auto *call = dyn_cast<CallBase>(&value);
        return call && opens_a_path(act_of(*call));
    }

  private:
    bool all_callers_own(const Argument &argument) {
        const Function &function = *argument.getParent();
        return function.hasLocalLinkage() && all_of(function.uses(), [&](const Use &use) {
                   const auto *call = dyn_cast<CallBase>(use.getUser());
                   return call && call->isCallee(&use) && is_own(*call->getArgOperand(argument.getArgNo()));
               });
    }

    SmallPtrSet<const Value *, 16> seen_;
};

}  // namespace

std::string sharer_in(const Module &module) { return used_that(module, shares_offsets); }

bool is_own_descriptor(const Value &descriptor) { return Tracer().is_own(descriptor); }

}  // namespace thalweg::transform
