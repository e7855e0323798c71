// transform: blocks and edges counted by LLVM's IR instrumentation, in counters that the recorder keeps.
#pragma once

#include <vector>

#include "llvm/IR/PassManager.h"

#include "model/counts.h"

namespace thalweg::transform {

// Puts LLVM's intrinsics into every function, before anything else is changed: the counts are of the code as it is here. Copies of code that
// are made afterwards count to the same counters.
std::vector<model::CountedFunction> insert_counters(llvm::Module &module, llvm::ModuleAnalysisManager &manager);

// Makes loads and stores of what insert_counters put in, when all probes are there. The counters lie side by side in one array
// (thalweg_probe_counters), functions in the given order.
void lower_counters(llvm::Module &module, llvm::ModuleAnalysisManager &manager,
                    const std::vector<model::CountedFunction> &functions);

}  // namespace thalweg::transform
