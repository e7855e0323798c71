// settle: decisions that save so little of the run that nobody would see it.
#include "settle/light.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace thalweg::settle {

using model::Decision;

namespace {

// Of the run's time, what those that are too light by themselves must save together (least_part_of_one has the source).
constexpr double least_part_of_all = 0.01;

// By the decision that it belongs to, what each group that can be too light saves.
std::map<uint32_t, double> saved_by_group(const model::Plan &plan, const std::map<uint32_t, uint32_t> &group) {
    std::map<uint32_t, double> saved;
    for (const Decision &decision : plan.decisions)
        if (decision.verdict == model::Verdict::apply && row_of(decision.kind()).can_be_light)
            saved[group.at(decision.id)] += decision.predicted_gain_total_ms;
    return saved;
}

// Layers of which nothing was counted when they were made: foretold is what they may save at most.
std::set<uint32_t> not_counted(const model::Plan &plan, const model::Outcome &tried) {
    std::set<uint32_t> layers;
    for (const Decision &decision : plan.decisions)
        if (decision.kind() == model::DecisionKind::specialize)
            layers.insert(decision.id);
    for (const model::DecisionOutcome &one : tried.decisions)
        if (one.saved_instructions != 0)
            layers.erase(one.decision);
    return layers;
}

// What a decision belongs to in the end. A parent stands before its children.
std::map<uint32_t, uint32_t> groups_of(const model::Plan &plan) {
    std::map<uint32_t, uint32_t> group;
    for (const Decision &decision : plan.decisions) {
        const auto parent = group.find(decision.parent);
        group[decision.id] = parent == group.end() ? decision.id : parent->second;
    }
    return group;
}

}  // namespace

void refuse_light(model::Plan &plan, const model::Outcome &tried, double instruction_ns) {
    if (tried.executed_instructions == 0)
        return;
    const std::set<uint32_t> layers = not_counted(plan, tried);
    const double run_ms = static_cast<double>(tried.executed_instructions) * instruction_ns / 1e6;
    const std::map<uint32_t, uint32_t> group = groups_of(plan);
    const std::map<uint32_t, double> saved = saved_by_group(plan, group);
    const auto is_light = [&](double ms) { return ms < least_part_of_one * run_ms; };
    const auto counts = [&](double ms) { return ms >= least_part_of_any * run_ms; };
    double all_ms = 0;
    for (const Decision &decision : plan.decisions)
        if (const auto own = saved.find(decision.id);
            own != saved.end() && !layers.contains(decision.id) && is_light(own->second) && counts(own->second))
            all_ms += own->second;
    const bool together = all_ms >= least_part_of_all * run_ms;
    for (Decision &decision : plan.decisions) {
        const bool is_asked = decision.verdict == model::Verdict::apply && row_of(decision.kind()).can_be_light &&
                              decision.provenance == model::Provenance::recorded;
        if (!is_asked || (together && counts(saved.at(group.at(decision.id)))) ||
            !is_light(saved.at(group.at(decision.id))))
            continue;
        refuse(decision, model::RefusalKind::too_light,
               fmt::format("it saves {:.3f} ms of a run of {:.1f} ms, {:.2f} %: less than a program's speed "
                           "changes when its code is made anew.",
                           saved.at(group.at(decision.id)), run_ms, 100 * saved.at(group.at(decision.id)) / run_ms));
    }
}

}  // namespace thalweg::settle
