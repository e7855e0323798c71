// transform: what an optimised program remembers of the plan that made it, where the plan is settled by the link itself.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// In abi::plan_section, which is not loaded.
void store_plan(llvm::Module &module, llvm::StringRef plan);

}  // namespace thalweg::transform
