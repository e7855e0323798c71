// report: the text report of a profile, with plan and outcome where they are there.
#include "report/text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/costs.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Profile;

namespace {

std::string event_name(const Profile &profile, uint32_t event) { return profile.events[event].name; }

std::string path_words(const Profile &profile, const std::vector<uint32_t> &events) {
    std::string text;
    for (uint32_t event : events)
        text += (text.empty() ? "" : " -> ") + event_name(profile, event);
    return text;
}

size_t dispatch_sites(const Profile &profile) {
    return static_cast<size_t>(std::count_if(profile.sites.begin(), profile.sites.end(), [](const model::Site &site) {
        return site.kind != model::SiteKind::call;
    }));
}

std::string overview(const Profile &profile, const TextStyle &style) {
    const model::Coverage &coverage = profile.coverage;
    std::string text;
    if (coverage.lost > 0)
        text +=
            marked(fmt::format(
                       "WARNING: {} dispatches or calls were lost: the recorder's tables, or the disk, were too small "
                       "for them; counts are too low by as many",
                       grouped(coverage.lost)),
                   style) +
            "\n";
    text += marked(fmt::format("Profile of {}", harmless(profile.program)), style) + "\n";
    text +=
        fmt::format("  build      {}\n", profile.build_id.empty() ? "(has no build id)" : harmless(profile.build_id));
    text += fmt::format("  command    {}\n", harmless(profile.command));
    const double ran = static_cast<double>(coverage.dispatches) + static_cast<double>(coverage.lost);
    text += fmt::format("  recorded   {} of {} dispatches in full", grouped(coverage.recorded),
                        grouped(coverage.dispatches + std::min(coverage.lost, UINT64_MAX - coverage.dispatches)));
    if (ran > 0)
        text += fmt::format(" ({})", percent(static_cast<double>(coverage.recorded) / ran));
    text +=
        coverage.recorded < coverage.dispatches ? "; ~ marks what was estimated from them" : "; all counts are exact";
    text += coverage.lost > 0 ? fmt::format(", but for {} that were lost\n", grouped(coverage.lost)) : "\n";
    text += fmt::format("  from       {} runs, {} processes, {} threads\n", grouped(coverage.runs),
                        grouped(coverage.processes), grouped(coverage.threads));
    text += fmt::format(
        "  found      {} events, lists, triggers and waits, {} dispatch sites, {} functions and variables\n",
        grouped(profile.events.size()), grouped(dispatch_sites(profile)), grouped(profile.symbols.size()));
    return text;
}

// Indices of `entries`, the heaviest first.
template <class Entry, class Weight>
std::vector<size_t> heaviest_first(const std::vector<Entry> &entries, Weight weight) {
    std::vector<size_t> order(entries.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const uint64_t of_a = weight(entries[a]), of_b = weight(entries[b]);
        return of_a != of_b ? of_a > of_b : a < b;
    });
    return order;
}

// More events than these are for the table behind them.
constexpr size_t most_costs = 10;

// Which event costs most, and what was done about it.
std::string costs(const TextData &data, const TextStyle &style) {
    const Profile &profile = *data.profile;
    if (!has_times(profile))
        return {};
    TextTable table({">own time", ">with what it raised", ">raises", "event", "what was done"});
    for (const uint32_t index : dearest_first(profile)) {
        const model::Event &event = profile.events[index];
        if (event.time.timed == 0 || table.rows() == most_costs)
            break;
        table.row(
            {estimated_time(event.time.own_ns, event.time.own_error_ns),
             estimated_time(event.time.inside_ns, event.time.inside_error_ns), counted(event.raises, event.error),
             event.name,
             data.plan == nullptr ? "nothing is planned yet" : what_was_done(event.name, *data.plan, data.outcome)});
    }
    return heading("What costs most", style) + table.text(style);
}

std::string events(const Profile &profile, const TextStyle &style) {
    TextTable table({">raises", ">binding changes", "kind", "event"});
    for (size_t i : heaviest_first(profile.events, [](const model::Event &event) { return event.raises; })) {
        const model::Event &event = profile.events[i];
        table.row({counted(event.raises, event.error), grouped(event.binding_changes), word(event.kind), event.name});
    }
    return heading("Events", style) + table.text(style);
}

std::string edges(const TextData &data, const TextStyle &style) {
    const model::EventGraph &reduced = data.graphs->reduced;
    TextTable table({">weight", "raised", "edge"});
    for (size_t i : heaviest_first(reduced.edges, [](const model::Edge &edge) { return edge.weight; })) {
        const model::Edge &edge = reduced.edges[i];
        table.row({counted(edge.weight, edge.error), word(edge.mode), path_words(*data.profile, {edge.from, edge.to})});
    }
    const std::string title =
        fmt::format("Event graph, eta {}: {} of {} edges", grouped(data.graphs->eta), grouped(reduced.edges.size()),
                    grouped(data.graphs->event_graph.edges.size()));
    return heading(title, style) + table.text(style);
}

std::string paths(const char *title, const Profile &profile, const std::vector<model::EventPath> &paths,
                  const TextStyle &style) {
    TextTable table({">weight", "events"});
    for (size_t i : heaviest_first(paths, [](const model::EventPath &path) { return path.weight; }))
        table.row({counted(paths[i].weight, paths[i].error), path_words(profile, paths[i].events)});
    return heading(title, style) + table.text(style);
}

std::string sequence_words(const Profile &profile, const model::Sequence &sequence) {
    std::string text;
    for (const model::Target &target : sequence.targets)
        text += (text.empty() ? "" : ", ") + function_name(profile, target.function);
    if (sequence.targets.empty())
        text = "(no handlers)";
    return sequence.truncated ? text + ", ..." : text;
}

std::string sequences(const Profile &profile, const TextStyle &style) {
    TextTable table({">count", "event", "at", "handlers"});
    for (size_t i : heaviest_first(profile.sequences, [](const model::Sequence &sequence) { return sequence.count; })) {
        const model::Sequence &sequence = profile.sequences[i];
        table.row({counted(sequence.count, sequence.error), event_name(profile, sequence.event),
                   place_words(profile.sites[sequence.site]), sequence_words(profile, sequence)});
    }
    return heading("Handler sequences", style) + table.text(style);
}

std::string nestings(const TextData &data, const TextStyle &style) {
    const Profile &profile = *data.profile;
    std::map<uint32_t, const model::Subsumption *> subsumptions;
    for (const model::Subsumption &subsumption : data.graphs->subsumptions)
        subsumptions[subsumption.nesting] = &subsumption;
    TextTable table({">count", ">a run", "raised", "chain", "raise"});
    for (size_t i : heaviest_first(profile.nestings, [](const model::Nesting &nesting) { return nesting.count; })) {
        const model::Nesting &nesting = profile.nestings[i];
        const auto found = subsumptions.find(static_cast<uint32_t>(i));
        const bool known = found != subsumptions.end();
        table.row({counted(nesting.count, nesting.error),
                   known ? fmt::format("{:.2f}", found->second->raises_per_activation) : "", word(nesting.mode),
                   known && found->second->chain ? "chain" : "",
                   fmt::format("{}: {} (handler {}) -> {}", event_name(profile, nesting.parent_event),
                               function_name(profile, nesting.handler), nesting.position + 1,
                               event_name(profile, nesting.child_event))});
    }
    return heading("Raised inside handlers", style) + table.text(style);
}

std::string guards(const Profile &profile, const TextStyle &style) {
    if (profile.guards.empty())
        return {};
    TextTable table({">decision", ">held", ">failed", ">share", "event or layer"});
    for (const model::GuardCount &guard : profile.guards) {
        const double tested = static_cast<double>(guard.hits) + static_cast<double>(guard.failures);
        if (tested > 0)
            table.row({std::to_string(guard.decision), grouped(guard.hits), grouped(guard.failures),
                       percent(static_cast<double>(guard.hits) / tested), guarded_name(guard.event)});
    }
    const size_t untested = profile.guards.size() - table.rows();
    return heading("Guards of the optimised program", style) + table.text(style) +
           (untested == 0
                ? std::string()
                : fmt::format("  {} decisions had no test of their own in this run: the word of the line around "
                              "held them, or they did not run\n",
                              untested));
}

std::string layers(const TextData &data, const TextStyle &style) {
    if (data.outcome == nullptr)
        return {};
    std::string text;
    for (const model::DecisionOutcome &decision : data.outcome->decisions)
        if (const std::string lines = text_layers(decision, data.sources == nullptr ? Sources{} : *data.sources, style);
            !lines.empty())
            text += heading(fmt::format("Layers of decision {}", decision.decision), style) + lines;
    return text;
}

std::string recorded(const TextData &data, const TextStyle &style) {
    const Profile &profile = *data.profile;
    std::string text = overview(profile, style);
    text += costs(data, style);
    text += events(profile, style);
    text += edges(data, style);
    text += paths("Event chains", profile, data.graphs->chains, style);
    text += paths("Event paths", profile, data.graphs->paths, style);
    text += sequences(profile, style);
    text += nestings(data, style);
    return text + text_system_calls(profile, data.graphs->system_calls, style);
}

}  // namespace

std::string text_report(const TextData &data, const TextStyle &style) {
    std::string text = data.profile == nullptr ? std::string() : recorded(data, style);
    if (data.plan != nullptr)
        text += heading("Opportunities", style) + text_plan(*data.plan, style);
    if (data.outcome != nullptr)
        text += heading("What became of the plan", style) + text_outcome(*data.outcome, style);
    text += layers(data, style);
    return data.profile == nullptr ? text : text + guards(*data.profile, style);
}

}  // namespace thalweg::report
