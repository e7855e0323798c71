// transform: what has to hold where system calls are to be replaced, and functions that are changed on trial.
#pragma once

#include <string>

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

}  // namespace thalweg::transform
