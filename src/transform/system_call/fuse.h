// transform: a loop that reads and writes copies by one call what there is to copy, and goes on as ever (looped multi-call; decision fuse).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// First: the loop's read. Others: its write.
SystemCallResult fuse_copy(const SystemCallGroup &group, llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
