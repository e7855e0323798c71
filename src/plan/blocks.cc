// plan: which functions of the C library have their small blocks kept by the program's threads.
#include "plan/blocks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/words.h"
#include "plan/append.h"

namespace thalweg::plan {

using model::Decision;

namespace {

constexpr const char *guard = "the block or the request is of 1,032 bytes at most, and the thread's list of that size "
                              "has a block, or room for one; glibc's "
                              "own malloc serves the process";

double saved_by(const model::NotedBlocks &one, const CostTable &costs) {
    const auto missed = static_cast<double>(one.calls - one.served);
    return static_cast<double>(one.served) * costs.served_block_ns - missed * costs.missed_block_ns;
}

Decision decision_of(const model::NotedBlocks &one, const CostTable &costs) {
    const double saved = saved_by(one, costs);
    Decision decision;
    decision.work = model::Reuse{};
    decision.site.function = decision.site.callee = one.callee;
    decision.site.kind = model::SiteKind::call;
    decision.event = one.callee;
    decision.weight = one.calls;
    decision.share = static_cast<double>(one.served) / static_cast<double>(one.calls);
    decision.predicted_gain_ns = rounded(saved / static_cast<double>(one.calls));
    decision.predicted_gain_total_ms = rounded(saved / 1e6);
    decision.growth_instructions = block_growth;
    decision.guard = guard;
    decision.reason =
        fmt::format("{} of {} calls are served by the thread's own lists, which keep 8 KiB of a size at most.",
                    grouped(one.served), grouped(one.calls));
    return decision;
}

// `served`, `gain` and `load` (ns): of all functions together.
std::string why_not(const Decision &decision, uint64_t served, double gain, double load) {
    if (served == 0)
        return "no call was served by a thread's own lists: another malloc than glibc's serves the process, the "
               "program asks what is allocated or limits it, "
               "or no block was given back before one of its size was asked for.";
    const auto by_lists = std::llround(decision.share * static_cast<double>(decision.weight));
    const std::string share = fmt::format("{} of {} were served by the thread's own lists",
                                          grouped(static_cast<uint64_t>(by_lists)), plural(decision.weight, "call"));
    if (gain <= 0 || decision.share == 0)
        return share + ": the questions of the others cost more than that saves.";
    return fmt::format("{}, which saves {:.1f} us together with what takes or gives the blocks; to begin and to load "
                       "what is new costs {:.1f} us.",
                       share, gain / 1000, load / 1000);
}

}  // namespace

void plan_blocks(const model::Profile &profile, const CostTable &costs, model::Plan &plan) {
    std::vector<Decision> made;
    uint64_t served = 0;
    double gain = 0;
    double load = costs.keeping_blocks_ns;
    for (const model::NotedBlocks &one : profile.block_calls) {
        if (one.calls == 0)
            continue;
        made.push_back(decision_of(one, costs));
        served += one.served;
        gain += saved_by(one, costs);
        load += made.back().growth_instructions * costs.first_use_ns;
    }
    std::ranges::sort(made, std::greater(), &Decision::predicted_gain_total_ms);
    for (Decision &decision : made)
        if (gain <= load || decision.share == 0)
            refuse(decision, model::RefusalKind::too_cold, why_not(decision, served, gain, load));
    append(std::move(made), plan);
}

}  // namespace thalweg::plan
