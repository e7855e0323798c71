// plan: who leads to whom how often, among the functions that were entered: what a layer saves is saved for each of its callers in part.
#include "plan/layer_flow.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace thalweg::plan {

using model::none;
using model::NotedFact;
using model::Profile;

namespace {

// Parts go round where functions call each other, and each round adds less than the one before. Counted in the benchmarks' profiles: of
// Sun RPC's layers none needs more than 12 rounds, of Lua's 92, of nanopb's, which are entered again for messages in messages, 201. What
// is left out after the last makes a layer look worth less than it is.
constexpr int most_rounds = 256;
constexpr double least_change = 1e-4;
// From a function that was counted to the next one: so many that were not lie between them at most. Counted in the same profiles: nanopb's
// estimates are settled after 2 rounds, Sun RPC's after 3 and Lua's after 7.
constexpr int longest_gap = 8;

double count_of(const model::NotedValue &value) { return static_cast<double>(value.count); }

}  // namespace

EntryFlow::EntryFlow(const Profile &profile)
    : callers_of_(profile.functions.size()), ways_to_(profile.functions.size()) {
    std::map<std::string_view, uint32_t> by_name;
    for (uint32_t i = 0; i < profile.functions.size(); ++i) {
        by_name.try_emplace(profile.functions[i].body.name, i);
        for (const uint32_t callee : profile.functions[i].body.calls)
            callers_of_[callee].push_back(i);
    }
    estimate_entries(profile);
    for (const NotedFact &fact : profile.facts) {
        if (fact.call)
            continue;
        double all = 0;
        for (const model::NotedValue &value : fact.values)
            all += count_of(value);
        for (const model::NotedValue &value : fact.values) {
            if (fact.steers != model::Steers::call || value.symbol == none || value.bits != 0)
                continue;
            const auto callee = by_name.find(profile.symbols[value.symbol].name);
            if (callee != by_name.end() && all > 0)
                through_pointers_[callee->second][fact.function] += entries_[fact.function] * count_of(value) / all;
        }
    }
    for (uint32_t callee = 0; callee < profile.functions.size(); ++callee) {
        const std::map<uint32_t, double> weights = weights_of_callers(callee);
        double all = 0;
        for (const auto &[caller, weight] : weights)
            all += weight;
        for (const auto &[caller, weight] : weights)
            if (all > 0)
                ways_to_[callee].push_back({caller, weight / all});
    }
}

// Of functions without generic code entries are not always counted: they are taken to be entered as often as their callers.
void EntryFlow::estimate_entries(const Profile &profile) {
    for (const model::ProfiledFunction &function : profile.functions)
        entries_.push_back(static_cast<double>(function.entries));
    for (int round = 0; round < longest_gap; ++round)
        for (uint32_t function = 0; function < profile.functions.size(); ++function) {
            if (profile.functions[function].entries != 0)
                continue;
            entries_[function] = 0;
            for (const uint32_t caller : callers_of_[function])
                entries_[function] += caller == function ? 0 : static_cast<double>(profile.functions[caller].entries);
            for (const uint32_t caller : callers_of_[function])
                if (caller != function && profile.functions[caller].entries == 0)
                    entries_[function] = std::max(entries_[function], entries_[caller]);
        }
}

// Callers are taken to lead there as often as they are entered. What was noted by call would be no better: of a long run most notes
// are from its beginning.
std::map<uint32_t, double> EntryFlow::weights_of_callers(uint32_t callee) const {
    std::map<uint32_t, double> weights;
    if (const auto found = through_pointers_.find(callee); found != through_pointers_.end())
        weights = found->second;
    for (const uint32_t caller : callers_of_[callee])
        weights[caller] += entries_[caller];
    return weights;
}

// The same sums are made in each round, so their terms are looked up once: for 3,000 roots planning takes two thirds of the time.
std::vector<std::vector<EntryFlow::Way>> EntryFlow::ways_among(const std::vector<uint32_t> &reached) const {
    std::map<uint32_t, uint32_t> at;
    for (uint32_t i = 0; i < reached.size(); ++i)
        at[reached[i]] = i;
    std::vector<std::vector<Way>> ways(reached.size());
    for (uint32_t i = 0; i < reached.size(); ++i)
        for (const Way &way : ways_to_[reached[i]])
            if (const auto caller = at.find(way.caller); caller != at.end())
                ways[i].push_back({caller->second, way.share});
    return ways;
}

std::map<uint32_t, double> EntryFlow::parts_of(uint32_t root, const std::vector<uint32_t> &reached) const {
    const std::vector<std::vector<Way>> ways = ways_among(reached);
    std::vector<double> parts(reached.size());
    for (uint32_t i = 0; i < reached.size(); ++i)
        parts[i] = reached[i] == root ? 1 : 0;
    double change = 1;
    for (int round = 0; round < most_rounds && change > least_change; ++round) {
        change = 0;
        for (uint32_t i = 0; i < reached.size(); ++i) {
            if (reached[i] == root)
                continue;
            double part = 0;
            for (const Way &way : ways[i])
                part += way.share * parts[way.caller];
            change = std::max(change, std::abs(std::min(1.0, part) - parts[i]));
            parts[i] = std::min(1.0, part);
        }
    }
    std::map<uint32_t, double> of_functions;
    for (uint32_t i = 0; i < reached.size(); ++i)
        of_functions[reached[i]] = parts[i];
    return of_functions;
}

}  // namespace thalweg::plan
