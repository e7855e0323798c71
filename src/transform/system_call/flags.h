// transform: descriptors are made with the flags that calls behind would set (decision fuse).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// The decision's site makes a descriptor; its group are calls of fcntl and ioctl that set its flags or ask for them.
SystemCallResult make_with_flags(const SystemCallGroup &group, llvm::Module &module,
                                 llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
