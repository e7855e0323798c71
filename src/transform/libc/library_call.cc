// transform: whether a call of the C library can be made by another function in its caller's place.
#include "transform/libc/library_call.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The user may have told the compiler that this name, or any, is not the C library's.
bool is_builtin(const CallBase &call) {
    const Function &caller = *call.getFunction();
    const std::string without = ("no-builtin-" + call.getCalledFunction()->getName()).str();
    return !call.isNoBuiltin() && !caller.hasFnAttribute("no-builtins") && !caller.hasFnAttribute(without);
}

}  // namespace

bool is_pointer(const CallBase &call, int position) {
    return position < 0 || (static_cast<unsigned>(position) < call.arg_size() &&
                            call.getArgOperand(static_cast<unsigned>(position))->getType()->isPointerTy());
}

bool is_integer(const CallBase &call, int position, unsigned bits) {
    return position < 0 || (static_cast<unsigned>(position) < call.arg_size() &&
                            call.getArgOperand(static_cast<unsigned>(position))->getType()->isIntegerTy(bits));
}

bool is_plain_library_call(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || call.isMustTailCall() ||
        call.hasOperandBundles() || !is_builtin(call) || isa<CallBrInst>(call) ||
        call.getCallingConv() != CallingConv::C || call.getFunctionType() != callee->getFunctionType())
        return false;
    for (unsigned i = 0; i < call.arg_size(); ++i)
        if (call.isPassPointeeByValueArgument(i) || call.paramHasAttr(i, Attribute::StructRet))
            return false;
    return true;
}

}  // namespace thalweg::transform
