// transform: a system call whose result is known isn't made (decision elide).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// First: the call that may be left out (read, posix_fadvise, lseek, fstat). Others: calls that tell what is known, at least one that opens.
// To be done after all other kinds of decisions; end_stretches (quiet_stretch.h) after that.
SystemCallResult leave_out(const SystemCallGroup &group, llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
