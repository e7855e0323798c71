// transform: writes that lie side by side become one vector write (decision coalesce).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// First and others: calls of write, pwrite or pwrite64 in the order in which they are made.
SystemCallResult coalesce_writes(const SystemCallGroup &group, llvm::Module &module,
                                 llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
