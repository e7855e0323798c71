// transform: calls that print or read become calls of functions that do so in place (decision expand).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

SystemCallResult expand_output(const SystemCallGroup &group, llvm::Module &module,
                               llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
