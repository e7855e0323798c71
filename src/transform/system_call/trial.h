// transform: what has to hold where system calls are to be replaced, and functions that are changed on trial.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// Why the program may forbid itself system calls that would take others' place; empty: it doesn't.
std::string obstacle_to_other_calls(const llvm::Module &module);

// Why its calls can't be replaced; empty: they can.
std::string obstacle_to_change(const llvm::Function &function);

// The function becomes `other`, of the same type, under its own name and with its own callers; `other` is left empty.
void take_body(llvm::Function &function, llvm::Function &other, llvm::FunctionAnalysisManager &analyses);

// Tries a change in a copy of each function of `first`; if none comes out of that, in copies of those that lead to `holders`, with what leads
// there unfolded. `change` is given the copy and the function's name, and says why it can't be done there; empty: it is done, and the function
// becomes its copy. The answer is the first reason where it could be done nowhere; empty: it was done.
using Change = llvm::function_ref<std::string(llvm::Function &copy, const std::string &name)>;
std::string change_on_trial(llvm::ArrayRef<llvm::Function *> first, llvm::ArrayRef<llvm::Function *> holders,
                            llvm::Module &module, llvm::FunctionAnalysisManager &analyses, Change change);

}  // namespace thalweg::transform
