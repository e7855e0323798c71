// transform: layered code becomes code for the facts of a plan (tempo-sunrpc): which functions, and what became of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/plan.h"
#include "transform/ir/guard_counter.h"
#include "transform/site/recorded_body.h"

namespace thalweg::transform {

// Points that are looked at for one attempt of one decision with facts, so that the others have their turn: nine layers of Sun RPC took 14,700
// together with theirs.
inline constexpr size_t max_looks_with_facts = 8000;

// Of functions that are still called, by name: why, for the end of a reason; empty when there are none.
std::string still_called(const std::map<std::string, std::string> &left);

// What lines will be made of: a function has one body.
struct LineClaims {
    struct Claim {
        uint32_t decision = 0;  // one of those whose lines lie in the function
        double gain_ms = 0;  // expected of them all
    };
    struct Copy {
        uint32_t decision = 0;
        std::string into;  // the function that has a copy of this one's body
    };
    std::map<const llvm::Function *, Claim> lines;  // looked up only, as the next
    std::map<const llvm::Function *, Copy> copied;
};

// Specialises the functions that decisions of kind `specialize` name. Gives an outcome for each decision of that kind.
std::vector<model::DecisionOutcome> specialise_layers(const model::Plan &plan, const RecordedBodies &bodies,
                                                      const LineClaims &lines, llvm::Module &module,
                                                      llvm::FunctionAnalysisManager &analyses, GuardCounter &counter);

// One decision's function beside the original, which stays as it is. No residual: the outcome says why.
struct Specialised {
    llvm::Function *root = nullptr;
    llvm::Function *residual = nullptr;
    model::DecisionOutcome outcome;
};
Specialised specialise_beside(const model::Decision &decision, llvm::Module &module,
                              llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
