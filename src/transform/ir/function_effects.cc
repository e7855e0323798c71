// transform: takes back attributes that speak of effects.
#include "transform/ir/function_effects.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr Attribute::AttrKind of_functions[] = {Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
                                                Attribute::NoCallback, Attribute::Speculatable};
constexpr Attribute::AttrKind of_arguments[] = {Attribute::NoCapture, Attribute::ReadNone, Attribute::ReadOnly,
                                                Attribute::WriteOnly};

bool calls(const User &user, const Function &function) {
    const auto *call = dyn_cast<CallBase>(&user);
    return call && call->getCalledOperand() == &function;
}

}  // namespace

void forget_effects(Function &function) {
    for (const Attribute::AttrKind kind : of_functions)
        function.removeFnAttr(kind);
    for (unsigned i = 0; i < function.arg_size(); ++i)
        for (const Attribute::AttrKind kind : of_arguments)
            function.removeParamAttr(i, kind);
    for (User *user : function.users()) {
        if (!calls(*user, function))
            continue;
        auto *call = cast<CallBase>(user);
        for (const Attribute::AttrKind kind : of_functions)
            call->removeFnAttr(kind);
        for (unsigned i = 0; i < call->arg_size(); ++i)
            for (const Attribute::AttrKind kind : of_arguments)
                call->removeParamAttr(i, kind);
    }
}

void forget_effects_of_callers(Function &function) { forget_effects_of_callers(ArrayRef<Function *>(&function)); }

void forget_effects_of_callers(ArrayRef<Function *> functions) {
    SmallSetVector<Function *, 16> reached(functions.begin(), functions.end());
    for (size_t i = 0; i < reached.size(); ++i) {
        forget_effects(*reached[i]);
        for (const User *user : reached[i]->users())
            if (calls(*user, *reached[i]))
                reached.insert(const_cast<Function *>(cast<CallBase>(user)->getFunction()));
    }
}

}  // namespace thalweg::transform
