// transform: how coroutines are called once LLVM's CoroSplit has made functions of them.
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace thalweg::transform {

// Whether a coroutine is let go on, or destroyed, by this call. Functions that others have pointers to are never called in LLVM's own
// convention, but for the parts of coroutines, whose addresses are in their frames only.
bool is_resumption(const llvm::CallBase &call);

// Whether a function is called as a coroutine's parts are: with its frame, and in LLVM's own convention.
bool takes_frame_only(const llvm::FunctionType &type, llvm::CallingConv::ID convention);

}  // namespace thalweg::transform
