// transform: functions whose last results are kept: from decisions to outcomes.
#include "transform/cache/cache.h"

#include "transform/cache/guard.h"
#include "transform/ir/rounding.h"

namespace thalweg::transform {

using namespace llvm;

Caches::Caches(const model::Plan &plan, const RecordedBodies &bodies, Module &module)
    : bodies_(bodies), module_(module) {
    if (any_of(plan.decisions,
               [](const model::Decision &decision) { return decision.kind() == model::DecisionKind::cache; }))
        float_environment_ = user_of_float_environment(module);
    for (const model::Decision &decision : plan.decisions) {
        if (decision.kind() != model::DecisionKind::cache)
            continue;
        outcomes_.push_back({decision.id, false, {}, 0});
        outcomes_.back().reason = look_at(decision);
    }
}

// Why it can't be done; empty: it is going to be.
std::string Caches::look_at(const model::Decision &decision) {
    const auto [function, why_not] = bodies_.function_of(decision, module_);
    if (!function)
        return why_not;
    if (any_of(cached_, [&](const Cached &one) { return one.function == function; }))
        return "another decision keeps this function's results";
    cache::Footprint footprint = cache::footprint_of(*function, float_environment_);
    if (!footprint.refused.empty())
        return "it is not known to compute from what can be compared: " + footprint.refused;
    // Those that gain most come first in a plan.
    const uint64_t bytes = cache::kept_bytes(*function, footprint);
    if (kept_bytes_ + bytes > cache::max_kept_bytes)
        return fmt::format(
            "it would keep {} bytes in each thread, after {} of other decisions; {} are kept of all together", bytes,
            kept_bytes_, cache::max_kept_bytes);
    kept_bytes_ += bytes;
    // What is unfolded into a layer would be computed there each time.
    function->addFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::AlwaysInline);
    cached_.push_back({function, std::move(footprint), outcomes_.size() - 1});
    return {};
}

std::vector<model::DecisionOutcome> Caches::put(GuardCounter &counter) {
    for (const Cached &cached : cached_) {
        model::DecisionOutcome &outcome = outcomes_[cached.outcome];
        outcome.applied = true;
        outcome.growth_instructions =
            cache::keep_results(*cached.function, cached.footprint, outcome.decision, counter);
        outcome.reason = fmt::format("{} bytes of inputs are compared, {} bytes of results kept",
                                     cached.footprint.input_bytes, cached.footprint.result_bytes);
    }
    return std::move(outcomes_);
}

}  // namespace thalweg::transform
