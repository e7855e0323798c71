// settle: what a plan's decisions come to, by what became of them.
#include "settle/settle.h"

#include <map>

#include "settle/foretold.h"
#include "settle/light.h"

namespace thalweg::settle {

namespace {

std::map<uint32_t, const model::DecisionOutcome *> by_decision(const model::Outcome &outcome) {
    std::map<uint32_t, const model::DecisionOutcome *> entries;
    for (const model::DecisionOutcome &entry : outcome.decisions)
        entries.emplace(entry.decision, &entry);
    return entries;
}

}  // namespace

void refuse_what_does_not_fit(model::Plan &plan, const model::Outcome &outcome) {
    const auto entries = by_decision(outcome);
    for (model::Decision &decision : plan.decisions)
        if (const auto entry = entries.find(decision.id);
            entry != entries.end() && decision.verdict == model::Verdict::apply && !entry->second->applied)
            refuse(decision, model::RefusalKind::does_not_fit, entry->second->reason);
}

void settle(model::Plan &plan, const model::Outcome &tried, double instruction_ns) {
    refuse_what_does_not_fit(plan, tried);
    foretell_by_outcome(plan, tried, instruction_ns);
    refuse_light(plan, tried, instruction_ns);
}

bool made_in_vain(const model::Plan &settled, const model::Outcome &tried) {
    const auto entries = by_decision(tried);
    for (const model::Decision &decision : settled.decisions)
        if (const auto entry = entries.find(decision.id);
            entry != entries.end() && entry->second->applied && decision.verdict == model::Verdict::refuse)
            return true;
    return false;
}

}  // namespace thalweg::settle
