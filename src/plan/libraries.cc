// plan: one plan for a program and its shared libraries, each of which is linked by itself.
#include "plan/libraries.h"

#include <algorithm>
#include <map>

namespace thalweg::plan {

using model::Decision;

void append_library(const std::string &library, const model::Plan &planned, model::Plan &plan) {
    const uint32_t before = plan.decisions.empty() ? 0 : std::ranges::max(plan.decisions, {}, &Decision::id).id;
    for (Decision decision : planned.decisions) {
        decision.id += before;
        decision.parent += decision.parent == 0 ? 0 : before;
        decision.library = library;
        plan.decisions.push_back(std::move(decision));
    }
    std::map<std::string, uint64_t> counted;
    for (const model::Plan *one : {const_cast<const model::Plan *>(&plan), &planned})
        for (const model::CountedRefusals &refusals : one->left_out)
            counted[refusals.refusal] += refusals.count;
    plan.left_out.clear();
    for (const auto &[refusal, count] : counted)
        plan.left_out.push_back({refusal, count});
}

model::Plan part_for(const model::Plan &plan, const std::string &library) {
    model::Plan part = plan;
    std::erase_if(part.decisions, [&](const Decision &decision) { return decision.library != library; });
    return part;
}

void put_back(const model::Plan &part, model::Plan &plan) {
    std::map<uint32_t, const Decision *> by_id;
    for (const Decision &decision : part.decisions)
        by_id.emplace(decision.id, &decision);
    for (Decision &decision : plan.decisions)
        if (const auto found = by_id.find(decision.id); found != by_id.end())
            decision = *found->second;
}

}  // namespace thalweg::plan
