// transform: functions whose last results are kept (data specialization; Knoblock and Ruf, PLDI 1996): which, and what became of it.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "model/plan.h"
#include "transform/cache/footprint.h"
#include "transform/ir/guard_counter.h"
#include "transform/site/recorded_body.h"

namespace thalweg::transform {

class Caches {
  public:
    // Looks at what the decisions of kind `cache` name, while the functions are the program's own.
    Caches(const model::Plan &plan, const RecordedBodies &bodies, llvm::Module &module);

    // Puts the guards in front of whatever body the functions have now; gives an outcome for each decision of the kind.
    std::vector<model::DecisionOutcome> put(GuardCounter &counter);

  private:
    struct Cached {
        llvm::Function *function = nullptr;
        cache::Footprint footprint;
        size_t outcome = 0;  // which of `outcomes_`
    };
    std::string look_at(const model::Decision &decision);

    const RecordedBodies &bodies_;
    llvm::Module &module_;
    std::string float_environment_;  // what the program has of rounding.h
    std::vector<Cached> cached_;
    uint64_t kept_bytes_ = 0;  // of all of them, in each thread
    std::vector<model::DecisionOutcome> outcomes_;
};

}  // namespace thalweg::transform
