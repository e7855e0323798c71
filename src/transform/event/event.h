// transform: dispatch sites become straight lines: handler merging, subsumption, chains (paper 000, section 3.2.1).
#pragma once

#include "llvm/IR/PassManager.h"

#include "transform/event/line_builder.h"
#include "transform/event/path_tree.h"
#include "transform/ir/guard_counter.h"

namespace thalweg::transform {

// Makes the lines of all the tree's roots, whose sites are marked in their functions, and says of each decision what became of it.
std::vector<model::DecisionOutcome> specialise_dispatches(llvm::FunctionAnalysisManager &analyses,
                                                          const std::vector<DispatchSite> &sites, const PathTree &tree,
                                                          const PristineBodies &pristine, PathTable &paths,
                                                          GuardCounter &counter);

}  // namespace thalweg::transform
