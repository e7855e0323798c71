// transform: remote calls that the user declared independent are on their way at once (paper cassyopia, section 3).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// Of the decision's calls, those that follow each other in one function, its stubs unfolded, through one client, with nothing between that
// others could tell: the first of a row sends the others' requests too (src/abi/remote_call.h).
SystemCallResult overlap_calls(const SystemCallGroup &group, llvm::Module &module,
                               llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
