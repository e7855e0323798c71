// transform: which of a plan's decisions are to be carried out. Asked once, for all passes.
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan.h"

namespace thalweg::transform {

struct Asked {
    model::Plan plan;  // of the decisions that are to be carried out, in the order of the plan
    std::vector<model::DecisionOutcome> left;  // an outcome for each of the others, which says why
};

// `only`: the decisions to look at; empty: all.
Asked asked_of(const model::Plan &plan, const std::vector<uint32_t> &only);

}  // namespace thalweg::transform
