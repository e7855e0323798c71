// transform: decisions whose code nothing in the program comes to.
#pragma once

#include "llvm/IR/Module.h"

#include "model/plan.h"

namespace thalweg::transform {

// Changes outcomes from applied to not applied where a decision's code is unreachable: if every caller inlined the function, the linker drops it.
// To be called when all decisions have been carried out.
void take_back_what_is_dead(const llvm::Module &module, const model::Plan &plan,
                            std::vector<model::DecisionOutcome> &outcomes);

}  // namespace thalweg::transform
