// transform: layered code becomes code for the facts of a plan (tempo-sunrpc): which functions, and what became of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "model/plan.h"
#include "settle/light.h"
#include "transform/ir/guard_counter.h"
#include "transform/site/recorded_body.h"

namespace thalweg::transform {

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
        double gain_ms = 0;  // as above
    };
    std::map<const llvm::Function *, Claim> lines;  // looked up only, as the next
    std::map<const llvm::Function *, Copy> copied;
};

// What decisions are to save a part of.
struct RecordedRun {
    double instructions = 0;
    double instruction_ns = 0;  // 0: all is made that is asked for, however little it saves
    double ms_of(double executed) const { return executed * instruction_ns / 1e6; }
    // Less than this nobody would see.
    double light_ms() const { return settle::least_part_of_one * ms_of(instructions); }
};

// Specialises the functions that decisions of kind `specialize` name. Gives an outcome for each decision of that kind.
std::vector<model::DecisionOutcome> specialise_layers(const model::Plan &plan, const RecordedBodies &bodies,
                                                      const LineClaims &lines, llvm::Module &module,
                                                      llvm::FunctionAnalysisManager &analyses, GuardCounter &counter,
                                                      const RecordedRun &run = {});

// One decision's function beside the original, which stays as it is. No residual: the outcome says why.
struct Specialised {
    llvm::Function *root = nullptr;
    llvm::Function *residual = nullptr;
    model::DecisionOutcome outcome;
};
Specialised specialise_beside(const model::Decision &decision, llvm::Module &module,
                              llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
