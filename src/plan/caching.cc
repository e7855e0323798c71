// plan: whether a program should keep results of its system calls (Spinellis, section 4.7).
#include "plan/caching.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "knowledge/function.h"

namespace thalweg::plan {

std::string time_words(double ns) {
    if (ns < 1e3)
        return fmt::format("{:.0f} ns", ns);
    return ns < 1e6 ? fmt::format("{:.1f} us", ns * 1e-3) : fmt::format("{:.1f} ms", ns * 1e-6);
}

namespace {

using model::RepeatedCalls;

// How the results of a call are kept, and what it costs.
struct Row {
    knowledge::Answer answer;
    double CallCosts::*cost;
    std::string_view keep;
    bool others_may_change;  // another process can make it give something else
};

using knowledge::Answer;
constexpr Row rows[] = {
    {Answer::own, &CallCosts::entry_ns, "keep the answer in a variable", false},
    {Answer::open_file, &CallCosts::open_close_ns, "keep the file open", true},
    {Answer::bytes, &CallCosts::read_ns, "keep the bytes", true},
    {Answer::status_of_path, &CallCosts::path_ns, "keep what it said of the path", true},
    {Answer::status_of_descriptor, &CallCosts::status_ns, "keep it beside the descriptor", true},
    {Answer::of_descriptor, &CallCosts::entry_ns, "keep it beside the descriptor", false},
    {Answer::of_device, &CallCosts::entry_ns, "keep it beside the descriptor", true},
    {Answer::connection, &CallCosts::entry_ns, "keep the connection open, or remember that nobody answers", true},
    {Answer::anything, &CallCosts::entry_ns, "keep the answer in a variable", true},
};

const Row &row_of(std::string_view name) {
    return *std::ranges::find(rows, knowledge::function(name).answer, &Row::answer);
}

double share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct Cache {
    size_t size = 0;  // index into model::cache_sizes
    double saved_ns = 0;
};

Cache best_cache(const RepeatedCalls &calls, double cost_ns) {
    Cache best{.saved_ns = -1e300};
    for (size_t i = 0; i < model::cache_sizes.size(); ++i) {
        const auto hits = static_cast<double>(calls.hits[i]), misses = static_cast<double>(calls.calls) - hits;
        const double saved = hits * (cost_ns - cache_hit_ns[i]) - misses * cache_miss_ns[i];
        if (saved > best.saved_ns)
            best = {i, saved};
    }
    return best;
}

void judge(RepeatedCalls &calls, const CallCosts &costs) {
    const Row &row = row_of(calls.name);
    const double cost_ns = costs.*row.cost;
    calls.entries = calls.saved_ns = 0;
    if (calls.calls < least_calls_to_judge) {
        calls.why = fmt::format("fewer than {} calls", least_calls_to_judge);
        return;
    }
    if (calls.changed != 0) {
        calls.why = fmt::format("{} times the same arguments gave something else than the time before, {} times with "
                                "{}: what was kept would be "
                                "wrong",
                                calls.changed, calls.changing.count, calls.changing.arguments);
        return;
    }
    const Cache best = best_cache(calls, cost_ns);
    const double all_ns = static_cast<double>(calls.calls) * cost_ns;
    const double hits = share(calls.hits[best.size], calls.calls);
    if (best.saved_ns < least_share_saved * all_ns) {
        calls.why = fmt::format(
            "a cache of {} would answer {:.1f} %: its upkeep ({:.0f} ns a hit, {:.0f} a miss) {} the calls' cost of {}",
            model::cache_sizes[best.size], hits * 100, cache_hit_ns[best.size], cache_miss_ns[best.size],
            best.saved_ns <= 0 ? "is not worth" : "leaves little of", time_words(cost_ns));
        return;
    }
    calls.entries = model::cache_sizes[best.size];
    calls.saved_ns = static_cast<uint64_t>(best.saved_ns);
    calls.why =
        fmt::format("{}, and save {} of {}{}", row.keep, time_words(best.saved_ns), time_words(all_ns),
                    row.others_may_change ? "; nothing changed in this run, but others may change it at any time" : "");
}

std::string advice_of(const RepeatedCalls &calls) {
    const Row &row = row_of(calls.name);
    const auto size =
        static_cast<size_t>(std::ranges::find(model::cache_sizes, calls.entries) - model::cache_sizes.begin());
    return fmt::format(
        "caching (section 4.7): {:.1f} % of {} calls of {} asked for what {} had given{}: {}{}; saves {} in "
        "such a run",
        share(calls.hits[size], calls.calls) * 100, calls.calls, calls.name,
        calls.entries == 1 ? std::string("the last one") : fmt::format("one of the last {}", calls.entries),
        calls.commonest.arguments.empty() ? "" : ", e.g. " + calls.commonest.arguments, row.keep,
        row.others_may_change ? ", where an old answer will do" : "", time_words(static_cast<double>(calls.saved_ns)));
}

const model::CrossingCost *row_named(const model::Machine &machine, std::string_view name) {
    const auto found = std::ranges::find_if(
        machine.costs, [&](const model::CrossingCost &cost) { return cost.name == name && cost.group == 0; });
    return found == machine.costs.end() ? nullptr : &*found;
}

}  // namespace

CallCosts call_costs_on(const model::Machine &machine) {
    CallCosts costs;
    constexpr std::pair<std::string_view, double CallCosts::*> measured[] = {{"system-call", &CallCosts::entry_ns},
                                                                             {"fstat", &CallCosts::status_ns},
                                                                             {"read-4096", &CallCosts::read_ns},
                                                                             {"open-close", &CallCosts::open_close_ns},
                                                                             {"write-64", &CallCosts::write_ns}};
    constexpr double longest_ns = 1e7;  // no call of these takes longer on any machine; only a damaged file says so
    for (const auto &[name, member] : measured)
        if (const model::CrossingCost *cost = row_named(machine, name))
            if (const double ns = cost->seconds.median * 1e9; ns > 0 && ns < longest_ns) {
                costs.*member = ns;
                costs.source = "costs measured " + machine.date;
            }
    return costs;
}

void judge_caching(model::Workload &workload, const CallCosts &costs) {
    std::vector<const RepeatedCalls *> advised;
    for (RepeatedCalls &calls : workload.repeated) {
        judge(calls, costs);
        if (calls.entries != 0)
            advised.push_back(&calls);
    }
    std::ranges::sort(advised, [](const RepeatedCalls *a, const RepeatedCalls *b) {
        return std::tie(b->saved_ns, a->name) < std::tie(a->saved_ns, b->name);
    });
    for (size_t i = 0; i < std::min(advised.size(), most_caches_advised); ++i)
        workload.advice.push_back({model::AdviceKind::resolve, advice_of(*advised[i])});
}

}  // namespace thalweg::plan
