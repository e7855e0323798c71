// transform: decisions about system calls, from the plan to outcomes (paper cassyopia, section 2).
#pragma once

#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/plan.h"

namespace thalweg::transform {

// One decision of a plan whose sites were found in this program: their numbers are those of find_system_calls.
struct SystemCallGroup {
    const model::Decision &decision;
    uint32_t first = 0;
    std::vector<uint32_t> others;  // those of the decision's group, in its order
};

// Why a decision can't be carried out here, and how many instructions it added where it was.
struct SystemCallResult {
    std::string why_not;  // empty: done
    std::string remarks;
    int64_t growth_instructions = 0;
};

// `calls`: what find_system_calls gave before anything was changed.
// Those of kind overlap are the others' business, before layers are specialised: a client's call is a layer's first.
std::vector<model::DecisionOutcome> overlap_remote_calls(const model::Plan &plan, const std::vector<model::Site> &calls,
                                                         llvm::Module &module, llvm::FunctionAnalysisManager &analyses);
std::vector<model::DecisionOutcome> improve_system_calls(const model::Plan &plan, const std::vector<model::Site> &calls,
                                                         llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
