// transform: a loop that closes numbers of which most are no descriptors makes the calls for those that are (decision elide).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// First: a call of close, or of fcntl for the descriptor's own flags, on another number in each round of a loop.
SystemCallResult leave_out_absent(const SystemCallGroup &group, llvm::Module &module,
                                  llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
