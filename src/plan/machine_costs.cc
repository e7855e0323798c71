// plan: the planner's costs as they were measured on one machine.
#include "plan/machine_costs.h"

#include <algorithm>

namespace thalweg::plan {

namespace {

// The rows' handlers stand four in a row, as those that the built-in figures were taken from.
constexpr double handlers_of_a_row = 4;
// What can't be told from nothing: the rows' intervals are about as wide.
constexpr double smallest_ns = 0.05;
// No call, guard or raise of four additions took more on any machine that runs Linux; only a damaged file says so.
constexpr double largest_ns = 1000;
// Nor did an entry into the kernel, where a sandbox answers in its place too.
constexpr double largest_entry_ns = 1e5;

double apart(double more, double less) { return std::max(more - less, smallest_ns); }

}  // namespace

Result<CostTable> costs_on(const model::Machine &machine) {
    struct Row {
        const char *name;
        double most_ns = largest_ns;
        double ns = 0;
    };
    Row merged{"merged-handler"}, called{"called-handler"}, raised{"raised-handler"}, alone{"raised-alone"},
        path{"path-tested"}, slots{"slots-tested"}, entry{"system-call", largest_entry_ns};
    for (Row *row : {&merged, &called, &raised, &alone, &path, &slots, &entry}) {
        const model::CrossingCost *cost = model::find_cost(machine, row->name);
        if (cost == nullptr)
            return fail(ErrorCode::does_not_fit, "the row {} is missing: run `thalweg machine` again", row->name);
        row->ns = cost->seconds.median * 1e9;
        if (!(row->ns > 0 && row->ns < row->most_ns))
            return fail(ErrorCode::does_not_fit,
                        "{} takes {} ns there, which is no machine's: run `thalweg machine` again", row->name, row->ns);
    }
    CostTable costs;  // each as its comment there says
    costs.indirect_call_ns = apart(raised.ns, called.ns);
    costs.merged_call_ns = apart(called.ns, merged.ns);
    costs.path_guard_ns = apart(path.ns * handlers_of_a_row, merged.ns * handlers_of_a_row);
    costs.slot_guard_ns = apart(slots.ns, merged.ns);
    costs.raise_ns = apart(alone.ns, costs.indirect_call_ns);
    costs.system_call_ns = entry.ns;
    // Measurements of before have no such row; what it says is tested as the others'.
    if (const model::CrossingCost *list = model::find_cost(machine, "list-descriptors")) {
        const double ns = list->seconds.median * 1e9;
        if (ns > 0 && ns < largest_entry_ns)
            costs.list_ns = ns + calls_before_list * entry.ns;
    }
    return costs;
}

std::string words_of(const CostTable &costs, const model::Machine &machine) {
    return fmt::format(
        "measured {} on {}: a call through a slot {:.2f} ns, inlining {:.2f}, the path's test {:.2f}, a slot's "
        "{:.2f}, a raise {:.2f}, a system call {:.0f}",
        machine.date, machine.cpu, costs.indirect_call_ns, costs.merged_call_ns, costs.path_guard_ns,
        costs.slot_guard_ns, costs.raise_ns, costs.system_call_ns);
}

}  // namespace thalweg::plan
