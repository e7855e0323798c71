// transform: functions of languages without exceptions, through which those of others pass all the same.
#include "transform/ir/unwinding.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Said of this call alone, and by nobody of its callee.
bool is_only_claimed(const CallBase &call) {
    if (isa<IntrinsicInst>(call) || call.isInlineAsm() || !call.getAttributes().hasFnAttr(Attribute::NoUnwind))
        return false;
    const auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    return !callee || !callee->doesNotThrow();
}

// Whether one of its calls was only claimed not to unwind. They are no more.
bool drop_claims(Function &function) {
    bool any = false;
    for (Instruction &one : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&one); call && is_only_claimed(*call)) {
            call->removeFnAttr(Attribute::NoUnwind);
            any = true;
        }
    return any;
}

}  // namespace

bool catches(const Module &module) {
    return any_of(module, [](const Function &function) { return function.hasPersonalityFn(); });
}

void doubt_that_calls_return(Module &module) {
    SmallSetVector<Function *, 32> doubtful;
    for (Function &function : module)
        doubtful.insert(&function);
    while (!doubtful.empty()) {
        Function *function = doubtful.pop_back_val();
        if (!drop_claims(*function) || !function->doesNotThrow())
            continue;
        function->removeFnAttr(Attribute::NoUnwind);
        for (const User *user : function->users())
            if (const auto *call = dyn_cast<CallBase>(user))
                doubtful.insert(const_cast<Function *>(call->getFunction()));
    }
}

}  // namespace thalweg::transform
