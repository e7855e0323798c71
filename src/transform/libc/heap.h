// transform: whether a program's blocks of memory may be kept for later requests.
#pragma once

#include <string>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Whether the module is no program: a shared library, or a part of something.
bool may_be_unloaded(const llvm::Module &module);

// Why none may be kept, whatever its size; empty: they may. Of a library none: it may be unloaded.
std::string obstacle_to_kept_blocks(const llvm::Module &module);

}  // namespace thalweg::transform
