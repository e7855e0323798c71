// driver: a program optimised once, for `optimize` and for `auto`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "driver/libraries.h"
#include "link/opened_program.h"
#include "model/plan.h"
#include "model/profile.h"
#include "plan/consent.h"

namespace thalweg::driver {

// Numbers of decisions, with both ends. One number has to be in the plan; of several, which a plan may have left out in part, at least one.
struct DecisionRange {
    uint32_t first = 0;
    uint32_t last = 0;
};

struct OptimizeRequest {
    std::string program;  // or a bundle
    std::string objects;  // the folder in which it was built; empty: its own
    std::string profile_path;  // may be empty when there is a plan
    std::string plan_path;  // empty: made from the profile
    std::vector<DecisionRange> only_decisions;  // empty: all
    std::string output;
    std::string outcome_path;  // empty: the outcome is told, not kept
    bool remarks = false;
    bool by_units = false;  // linked by ThinLTO, with the profile's counts and without any decision
    plan::Consent consent;  // to what of the plan is believed without a test
};

struct Optimized {
    model::Plan plan;
    model::Outcome outcome;
    bool other_build = false;  // the plan is of another build than the program
    bool of_bundle = false;  // the program came out of a bundle: there is none beside the optimised one
    std::string diagnostics;  // what the linker said
    std::vector<Library> others;  // the shared libraries that the profile was recorded of, too
    std::vector<uint32_t> only_decisions = {};  // that were asked for; empty: all
    bool by_units = false;

    bool asks_for(const model::Decision &decision) const;
    size_t applied() const;
    size_t asked() const;  // decisions that were to be applied
};

Result<Optimized> optimize_program(const OptimizeRequest &request);
// Asks the optimiser what it could do of a plan for `program`, without making anything, and refuses the rest. An error leaves the plan as it was.
Status try_plan(link::OpenedProgram program, model::Plan &plan, const std::vector<model::FunctionCounts> &counts);
// Of a plan with one decision of kind specialize: the function in an object file, `request.output`, under the name `symbol`. Where nothing
// was applied there is no file, and the outcome says why.
Result<Optimized> make_object(const OptimizeRequest &request, const std::string &symbol);

}  // namespace thalweg::driver
