// plan: the numbers of decisions that are made part by part.
#include "plan/append.h"

#include <algorithm>

#include "plan/cost_table.h"

namespace thalweg::plan {

using model::Decision;

void append(std::vector<Decision> made, model::Plan &plan) {
    uint32_t next_id = plan.decisions.empty() ? 1 : std::ranges::max(plan.decisions, {}, &Decision::id).id + 1;
    for (Decision &decision : made) {
        if (plan.decisions.size() >= max_decisions)
            return;
        decision.id = next_id++;
        plan.decisions.push_back(std::move(decision));
    }
}

}  // namespace thalweg::plan
