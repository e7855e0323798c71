// transform: a large block of memory that is asked for and given back again and again is kept in between (decision hoist).
#pragma once

#include "transform/system_call/system_call.h"

namespace thalweg::transform {

// First: what gives the block (malloc, aligned_alloc, posix_memalign). Others: the calls of free that give it back.
SystemCallResult keep_block(const SystemCallGroup &group, llvm::Module &module,
                            llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
