// plan: what layers save, as the code says that was made of them on trial.
#include "plan/foretold.h"

#include <algorithm>
#include <map>

#include "plan/cost_table.h"

namespace thalweg::plan {

void foretell_by_outcome(model::Plan &plan, const model::Outcome &outcome) {
    std::map<uint32_t, const model::DecisionOutcome *> made;
    for (const model::DecisionOutcome &one : outcome.decisions)
        if (one.applied)
            made[one.decision] = &one;
    for (model::Decision &decision : plan.decisions) {
        const auto found = made.find(decision.id);
        if (found == made.end() || decision.kind() != model::DecisionKind::specialize)
            continue;
        decision.growth_instructions =
            static_cast<uint32_t>(std::clamp<int64_t>(found->second->growth_instructions, 0, UINT32_MAX));
        const uint64_t saved = found->second->saved_instructions;
        if (saved == 0 || decision.weight == 0 || decision.predicted_gain_ns <= 0)
            continue;
        const double counted_ns = rounded(static_cast<double>(saved) * CostTable().executed_instruction_ns /
                                          static_cast<double>(decision.weight));
        decision.predicted_gain_total_ms =
            rounded(decision.predicted_gain_total_ms * counted_ns / decision.predicted_gain_ns);
        decision.predicted_gain_ns = counted_ns;
    }
}

}  // namespace thalweg::plan
