// settle: what layers save, as the code says that was made of them on trial.
#include "settle/foretold.h"

#include <algorithm>
#include <map>
#include <set>

namespace thalweg::settle {

namespace {

using Made = std::map<uint32_t, const model::DecisionOutcome *>;

// Layers around a layer have some of its entries, if they were made.
std::set<uint32_t> inside_of_others(const model::Plan &plan, const Made &made) {
    std::set<uint32_t> inside;
    // A parent stands before its children.
    for (const model::Decision &decision : plan.decisions)
        if (made.contains(decision.parent) || inside.contains(decision.parent))
            inside.insert(decision.id);
    return inside;
}

double counted_ns(const model::Decision &layer, const model::DecisionOutcome &made, double instruction_ns) {
    return made.saved_instructions == 0
               ? layer.predicted_gain_ns
               : static_cast<double>(made.saved_instructions) * instruction_ns / static_cast<double>(layer.weight);
}

}  // namespace

void foretell_by_outcome(model::Plan &plan, const model::Outcome &outcome, double instruction_ns) {
    Made made;
    for (const model::DecisionOutcome &one : outcome.decisions)
        if (one.applied)
            made[one.decision] = &one;
    const std::set<uint32_t> inside = inside_of_others(plan, made);
    for (model::Decision &decision : plan.decisions) {
        const auto found = made.find(decision.id);
        if (found == made.end() || decision.kind() != model::DecisionKind::specialize)
            continue;
        decision.growth_instructions =
            static_cast<uint32_t>(std::clamp<int64_t>(found->second->growth_instructions, 0, UINT32_MAX));
        if (decision.weight == 0 || decision.predicted_gain_ns <= 0)
            continue;
        const double ns = model::rounded(counted_ns(decision, *found->second, instruction_ns));
        const double total_ms = inside.contains(decision.id)
                                    ? decision.predicted_gain_total_ms * ns / decision.predicted_gain_ns
                                    : ns * static_cast<double>(decision.weight) / 1e6;
        decision.predicted_gain_total_ms = model::rounded(total_ms);
        decision.predicted_gain_ns = ns;
    }
}

}  // namespace thalweg::settle
