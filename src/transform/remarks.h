// transform: what became of each decision, as LLVM's remarks (-Rpass=thalweg, -Rpass-missed=thalweg).
#pragma once

#include <map>
#include <vector>

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

#include "model/plan.h"
#include "transform/site/recorded_site.h"

namespace thalweg::transform {

class Remarks {
  public:
    // Before anything is changed: where the sites stand.
    Remarks(llvm::Module &module, const std::vector<RecordedSite> &sites);

    // One for each decision, at the line that its dispatch stands in, if there is one.
    void tell(const model::Plan &plan, const std::vector<model::DecisionOutcome> &outcomes) const;

  private:
    struct Place {
        llvm::Function *function = nullptr;
        llvm::DebugLoc line;
    };
    Place place_of_decision(const model::Decision &decision) const;

    llvm::Module &module_;
    std::map<std::pair<std::string, uint32_t>, Place> places_;  // by a site's function and ordinal
};

}  // namespace thalweg::transform
