// transform: which of a plan's decisions are to be carried out.
#include "transform/site/asked.h"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg::transform {

namespace {

// Empty: it is to be carried out.
std::string why_not(const model::Decision &decision, const std::vector<uint32_t> &only) {
    if (!only.empty() && std::ranges::find(only, decision.id) == only.end())
        return "it is not among the decisions that were asked for";
    if (decision.verdict == model::Verdict::refuse)
        return fmt::format("the plan refuses it: {}", decision.reason.empty() ? "it gives no reason" : decision.reason);
    return {};
}

}  // namespace

Asked asked_of(const model::Plan &plan, const std::vector<uint32_t> &only) {
    Asked asked;
    for (const model::Decision &decision : plan.decisions)
        if (std::string why = why_not(decision, only); why.empty())
            asked.plan.decisions.push_back(decision);
        else
            asked.left.push_back({decision.id, false, std::move(why), 0});
    return asked;
}

}  // namespace thalweg::transform
