// transform: which functions the program uses, here or in code that isn't seen.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Keeps in the module which functions the program's code without bitcode calls (job::TransformJob::called_elsewhere).
void note_called_elsewhere(const std::vector<std::string> &names, llvm::Module &module);

bool is_called_elsewhere(const llvm::Module &module, llvm::StringRef name);

// Keeps in the module that it is a shared library's (job::TransformJob::is_library): the loader may take another function or variable for one
// that it exports, so nothing is concluded from those (LLVM's semantic interposition), and whoever loads it may do anything.
void note_library(llvm::Module &module);
bool is_library(const llvm::Module &module);

// Whether the module names it, or code without bitcode calls it. What libraries do that are loaded isn't known.
bool uses(const llvm::Module &module, llvm::StringRef name);

}  // namespace thalweg::transform
