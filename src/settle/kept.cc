// settle: what an optimised program remembers of the plan that made it.
#include "settle/kept.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace thalweg::settle {

using model::Decision;

namespace {

using ById = std::map<uint32_t, const Decision *>;

ById by_id_of(const model::Plan &plan) {
    ById by_id;
    for (const Decision &decision : plan.decisions)
        by_id.emplace(decision.id, &decision);
    return by_id;
}

// And what it is a part of.
void keep(const Decision &decision, const ById &by_id, std::set<uint32_t> &kept) {
    for (auto at = by_id.find(decision.id); at != by_id.end() && kept.insert(at->first).second;)
        at = by_id.find(at->second->parent);
}

}  // namespace

model::Plan without_light_refusals(const model::Plan &plan, size_t most_refusals) {
    const ById by_id = by_id_of(plan);
    std::set<uint32_t> kept;
    std::vector<const Decision *> refused;
    for (const Decision &decision : plan.decisions)
        if (decision.verdict == model::Verdict::apply)
            keep(decision, by_id, kept);
        else
            refused.push_back(&decision);
    std::ranges::sort(refused, [](const Decision *a, const Decision *b) {
        return std::tuple(b->predicted_gain_total_ms, b->weight, a->id) <
               std::tuple(a->predicted_gain_total_ms, a->weight, b->id);
    });
    refused.resize(std::min(refused.size(), most_refusals));
    for (const Decision *decision : refused)
        keep(*decision, by_id, kept);
    std::map<std::string, uint64_t> counted;
    for (const model::CountedRefusals &before : plan.left_out)
        counted[before.refusal] += before.count;
    model::Plan result = plan;
    std::erase_if(result.decisions, [&](const Decision &decision) {
        const bool goes = !kept.contains(decision.id);
        if (goes)
            ++counted[decision.refusal];
        return goes;
    });
    result.left_out.clear();
    for (const auto &[refusal, count] : counted)
        result.left_out.push_back({refusal, count});
    return result;
}

model::Plan kept_plan(const model::Plan &plan, const std::vector<uint32_t> &only) {
    const ById by_id = by_id_of(plan);
    std::set<uint32_t> kept;
    for (const Decision &decision : plan.decisions)
        if (decision.verdict == model::Verdict::apply &&
            (only.empty() || std::ranges::find(only, decision.id) != only.end()))
            keep(decision, by_id, kept);
    model::Plan result = plan;
    result.left_out.clear();
    std::erase_if(result.decisions, [&](const Decision &decision) { return !kept.contains(decision.id); });
    for (Decision &decision : result.decisions)
        decision.reason = decision.guard = "";
    return result;
}

}  // namespace thalweg::settle
