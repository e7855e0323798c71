// transform: a function that puts what a call of the C library puts, where there is room, and calls the library where there is none.
#pragma once

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"

#include "transform/libc/output_call.h"

namespace thalweg::transform {

// Why no call of this module can be written in place, of those that put or take; empty: it can.
std::string obstacle_in_place(const llvm::Module &module, const llvm::TargetLibraryInfo &library);

// Of the module, made once for all calls that put the same. It takes the call's arguments and gives its result.
llvm::Function &output_function(const llvm::CallBase &call, const OutputCall &of,
                                const llvm::TargetLibraryInfo &library);

}  // namespace thalweg::transform
