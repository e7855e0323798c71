// transform: a module that is nothing but one specialised function and what it needs of the program's internal parts, for an
// object file of its own. What is external stays the program's: the object refers to it.
#pragma once

#include <string>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/plan.h"

namespace thalweg::transform {

// Why the function can't be had outside of its program: what it needs can't be named from there, and a copy would be something
// else. Empty: it can.
struct StandAlone {
    model::ObjectFunction object;
    std::string problem;
};

// The module's linkage is the source's: it has not been internalised. Afterwards the module is that of the object, or, with a problem,
// nothing that is of use.
StandAlone keep_alone(llvm::Function &residual, llvm::Function &root, const std::string &symbol, llvm::Module &module,
                      llvm::ModuleAnalysisManager &analyses);

}  // namespace thalweg::transform
