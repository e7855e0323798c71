// graph: two profiles held against each other.
#include "graph/profile_diff.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "model/limits.h"

namespace thalweg::graph {

using model::DiffEntry;
using model::none;
using model::Profile;

namespace {

using Counts = std::map<std::string, uint64_t>;

void add(uint64_t &total, uint64_t more) { total = more > model::max_count - total ? model::max_count : total + more; }

Counts raises(const Profile &profile) {
    Counts counts;
    for (const model::Event &event : profile.events)
        add(counts[event.name], event.raises);
    return counts;
}

Counts binding_changes(const Profile &profile) {
    Counts counts;
    for (const model::Event &event : profile.events)
        add(counts[event.name], event.binding_changes);
    return counts;
}

Counts edges(const Profile &profile) {
    Counts counts;
    for (const model::Edge &edge : profile.edges)
        add(counts[fmt::format("{} -> {} ({})", profile.events[edge.from].name, profile.events[edge.to].name,
                               word(edge.mode))],
            edge.weight);
    return counts;
}

Counts sequences(const Profile &profile) {
    Counts counts;
    for (const model::Sequence &sequence : profile.sequences) {
        std::string what = profile.events[sequence.event].name + ":";
        for (const model::Target &target : sequence.targets)
            what += " " + (target.function == none ? "(unknown code)" : profile.symbols[target.function].name);
        add(counts[what], sequence.count);
    }
    return counts;
}

// A place that has no line is called by its function.
std::string call_name(const model::Site &site) {
    if (!site.place.file.empty())
        return fmt::format("{} ({}:{})", site.callee, site.place.file, site.place.line);
    return site.function == site.callee ? site.callee : fmt::format("{} ({})", site.callee, site.function);
}

Counts system_calls(const Profile &profile) {
    Counts counts;
    for (const model::NotedSystemCall &call : profile.system_calls)
        add(counts[call_name(profile.sites[call.site])], call.calls);
    return counts;
}

std::string edge_name(const Profile &profile, const model::SystemCallEdge &edge) {
    return fmt::format("{} -> {}", call_name(profile.sites[edge.from]), call_name(profile.sites[edge.to]));
}

Counts system_call_edges(const Profile &profile) {
    Counts counts;
    for (const model::SystemCallEdge &edge : profile.system_call_edges)
        add(counts[edge_name(profile, edge)], edge.weight);
    return counts;
}

uint64_t total_of(const Counts &counts) {
    uint64_t total = 0;
    for (const auto &[what, count] : counts)
        add(total, count);
    return total;
}

double share(uint64_t count, uint64_t total) {
    return total == 0 ? 0 : static_cast<double>(count) / static_cast<double>(total);
}

double change(const DiffEntry &entry) { return std::abs(entry.share_after - entry.share_before); }

std::vector<DiffEntry> differences(const Counts &before, const Counts &after) {
    const uint64_t total_before = total_of(before), total_after = total_of(after);
    std::map<std::string, DiffEntry> entries;
    for (const auto &[what, count] : before)
        entries[what].before = count;
    for (const auto &[what, count] : after)
        entries[what].after = count;
    std::vector<DiffEntry> all;
    for (auto &[what, entry] : entries) {
        entry.what = what;
        entry.share_before = share(entry.before, total_before);
        entry.share_after = share(entry.after, total_after);
        const bool in_one_only = (entry.before == 0) != (entry.after == 0);
        if (in_one_only || change(entry) >= smallest_change)
            all.push_back(entry);
    }
    std::sort(all.begin(), all.end(), [](const DiffEntry &a, const DiffEntry &b) {
        return change(a) != change(b) ? change(a) > change(b) : a.what < b.what;
    });
    return all;
}

}  // namespace

model::ProfileDiff diff(const Profile &before, const Profile &after) {
    return {.events = differences(raises(before), raises(after)),
            .edges = differences(edges(before), edges(after)),
            .sequences = differences(sequences(before), sequences(after)),
            .binding_changes = differences(binding_changes(before), binding_changes(after)),
            .system_calls = differences(system_calls(before), system_calls(after)),
            .system_call_edges = differences(system_call_edges(before), system_call_edges(after))};
}

}  // namespace thalweg::graph
