// transform: a module that is nothing but one specialised function and what it needs of the program's internal parts, for an
// object file of its own. What is external stays the program's: the object refers to it.
#pragma once

#include <string>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/plan.h"

namespace thalweg::transform {

// `problem`: why there is no object, mostly because the function refers to something internal of which a copy would behave differently. Empty: there
// is one.
struct StandAlone {
    model::ObjectFunction object;
    std::string problem;
};

// Reduces the module to the residual function and copies of the internal parts that it needs. Requires linkage as in the source (the module must not
// have been internalised). On a problem the module is left in an unusable state.
StandAlone keep_alone(llvm::Function &residual, llvm::Function &root, const std::string &symbol, llvm::Module &module,
                      llvm::ModuleAnalysisManager &analyses);

}  // namespace thalweg::transform
