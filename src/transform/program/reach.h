// transform: decisions whose code nothing in the program comes to.
#pragma once

#include "llvm/IR/Module.h"

#include "model/plan.h"

namespace thalweg::transform {

// When all decisions have been carried out. A decision is applied while its code is in the program: where every caller of a function has
// taken what it does into its own body, nobody comes to the function any more, and the linker leaves it out.
void take_back_what_is_dead(const llvm::Module &module, const model::Plan &plan,
                            std::vector<model::DecisionOutcome> &outcomes);

}  // namespace thalweg::transform
