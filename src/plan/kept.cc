// plan: what an optimised program remembers of the plan that made it.
#include "plan/kept.h"

#include <algorithm>
#include <map>
#include <set>

namespace thalweg::plan {

using model::Decision;

model::Plan kept_plan(const model::Plan &plan, const std::vector<uint32_t> &only) {
    std::map<uint32_t, const Decision *> by_id;
    for (const Decision &decision : plan.decisions)
        by_id.emplace(decision.id, &decision);
    std::set<uint32_t> kept;
    for (const Decision &decision : plan.decisions) {
        const bool asked = only.empty() || std::ranges::find(only, decision.id) != only.end();
        if (decision.verdict != model::Verdict::apply || !asked)
            continue;
        for (auto at = by_id.find(decision.id); at != by_id.end() && kept.insert(at->first).second;)
            at = by_id.find(at->second->parent);
    }
    model::Plan result = plan;
    std::erase_if(result.decisions, [&](const Decision &decision) { return !kept.contains(decision.id); });
    for (Decision &decision : result.decisions)
        decision.reason = decision.guard = "";
    return result;
}

}  // namespace thalweg::plan
