// transform: which functions the program uses, here or in code that isn't seen.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Keeps in the module which functions the program's code without bitcode calls (model::TransformJob::called_elsewhere).
void note_called_elsewhere(const std::vector<std::string> &names, llvm::Module &module);

bool is_called_elsewhere(const llvm::Module &module, llvm::StringRef name);

// Whether the module names it, or code without bitcode calls it. What libraries do that are loaded isn't known.
bool uses(const llvm::Module &module, llvm::StringRef name);

}  // namespace thalweg::transform
