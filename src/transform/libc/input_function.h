// transform: a function that takes what a call of the C library takes, where the buffer has it, and calls the library where it has not.
#pragma once

#include "llvm/Analysis/TargetLibraryInfo.h"

#include "transform/libc/input_call.h"

namespace thalweg::transform {

// Of the module, made once for all calls of one name.
llvm::Function &input_function(const llvm::CallBase &call, const knowledge::Input &input,
                               const llvm::TargetLibraryInfo &library);

}  // namespace thalweg::transform
