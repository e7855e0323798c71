// plan: what a straight line saves.
#include "plan/cost_table.h"

namespace thalweg::plan {

namespace {

double guard_ns(const CostTable &costs, const Line &line) {
    if (!line.path_word)
        return costs.slot_guard_ns * static_cast<double>(line.targets);
    return line.subsumed ? 0 : costs.path_guard_ns;
}

}  // namespace

double saved_ns(const CostTable &costs, const Line &line) {
    double calls = costs.indirect_call_ns * static_cast<double>(line.targets);
    double inlined = costs.merged_call_ns * static_cast<double>(line.merged);
    return calls + inlined + (line.subsumed ? costs.raise_ns : 0) - guard_ns(costs, line);
}

double missed_ns(const CostTable &costs, const Line &line) {
    return line.path_word ? guard_ns(costs, line) : costs.slot_guard_ns;
}

}  // namespace thalweg::plan
