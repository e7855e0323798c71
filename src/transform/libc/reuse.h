// transform: which functions of the C library have their small blocks kept by the program's threads (decision `reuse`).
#pragma once

#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/counts.h"
#include "model/plan.h"

namespace thalweg::transform {

// What becomes of the plan's decisions. The module keeps which are carried out; LLVM's passes still see the library's functions, of which they know more.
std::vector<model::DecisionOutcome> reuse_small_blocks(const model::Plan &plan, llvm::Module &module,
                                                       llvm::FunctionAnalysisManager &analyses);
// When nothing of LLVM's comes after it: carries them out.
void put_reuse(llvm::Module &module);

// In a twin: each of the functions that may be reused, with its counters (abi::block_counters).
std::vector<model::CountedFunction> count_reuse(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
