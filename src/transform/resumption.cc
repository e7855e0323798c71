// transform: recognises calls of coroutines.
#include "transform/resumption.h"

namespace thalweg::transform {

using namespace llvm;

bool takes_frame_only(const FunctionType &type, CallingConv::ID convention) {
    return convention == CallingConv::Fast && type.getReturnType()->isVoidTy() && type.getNumParams() == 1 &&
           type.getParamType(0)->isPointerTy();
}

bool is_resumption(const CallBase &call) {
    return call.isIndirectCall() && takes_frame_only(*call.getFunctionType(), call.getCallingConv());
}

}  // namespace thalweg::transform
