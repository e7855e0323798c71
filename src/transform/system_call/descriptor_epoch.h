// transform: what a program knows of its own descriptors is forgotten wherever it may change (docs/SYSTEM_CALLS.md).
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// What is known (abi/descriptors.h), made where it isn't there yet. Null: in this program, not all of what may change a descriptor would
// be seen.
llvm::GlobalVariable *known_descriptors_of(llvm::Module &module);

// Where the module has that variable: the program's calls of open, fstat and close tell of their descriptor, and in front of whatever may
// make a descriptor another file's, a new epoch begins. To be called once, after all that changes calls.
void keep_descriptor_epochs(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
