// transform: which functions the program uses, here or in code that isn't seen.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include "knowledge/function.h"

namespace thalweg::transform {

// Keeps in the module which functions the program's code without bitcode calls (job::TransformJob::called_elsewhere).
void note_called_elsewhere(const std::vector<std::string> &names, llvm::Module &module);

bool is_called_elsewhere(const llvm::Module &module, llvm::StringRef name);

// Keeps in the module that it is a shared library's (job::TransformJob::is_library): the loader may take another function or variable for one
// that it exports, so nothing is concluded from those (LLVM's semantic interposition), and whoever loads it may do anything.
void note_library(llvm::Module &module);
bool is_library(const llvm::Module &module);

// Whether it tells types apart by addresses, which is made by link-time optimisation alone.
bool tests_types(const llvm::Module &module);

// Whether the module names it, or code without bitcode calls it. What libraries do that are loaded isn't known.
bool uses(const llvm::Module &module, llvm::StringRef name);

// Of the functions that are known (knowledge/function.h), those that do it. A name without a row is any library's: what it does isn't known.
llvm::SmallVector<llvm::StringRef> names_that(llvm::function_ref<bool(const knowledge::Function &)> do_it);
llvm::SmallVector<llvm::StringRef> names_of(knowledge::Act act);
// The first of them that the program uses; empty: it uses none.
std::string used_that(const llvm::Module &module, llvm::function_ref<bool(const knowledge::Function &)> does_it);

}  // namespace thalweg::transform
