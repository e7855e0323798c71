// report: the artefacts as the JSON that the page reads (docs/formats/report-data.md). Computes nothing.
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "report/facts.h"
#include "report/html.h"
#include "report/names.h"
#include "report/system_call.h"

namespace thalweg::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int data_version = 5;

Json index_or_null(uint32_t index) { return index == model::none ? Json() : Json(index); }

Json place(const model::SourcePlace &place) {
    if (place.file.empty())
        return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json site(const model::Site &site) {
    return {{"function", short_name(site.function)},
            {"ordinal", site.ordinal},
            {"kind", word(site.kind)},
            {"callee", site.callee},
            {"place", place(site.place)}};
}

Json symbols(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &symbol : profile.symbols)
        list.push_back({{"name", short_name(symbol.name)},
                        {"fullName", readable(symbol.name)},
                        {"isFunction", symbol.is_function},
                        {"hasBody", symbol.has_body},
                        {"instructions", symbol.instructions},
                        {"place", place(symbol.place)}});
    return list;
}

// 0: the count is exact; null: it is an estimate, nobody knows how good.
Json error_of(uint64_t error) { return error == model::unknown_error ? Json() : Json(error); }

// The page knows events by what it shows of their names. Where two would look alike there, the later one keeps its whole name.
class EventNames {
  public:
    explicit EventNames(const model::Profile &profile) {
        for (const auto &event : profile.events) {
            const std::string shown = with_short_names(event.name);
            const bool is_first = taken_.insert(shown).second;
            shown_.emplace(event.name, is_first ? shown : event.name);
        }
    }
    std::string of(const std::string &name) const {
        const auto found = shown_.find(name);
        return found == shown_.end() ? with_short_names(name) : found->second;
    }

  private:
    std::set<std::string> taken_;
    std::map<std::string, std::string> shown_;
};

Json event_time(const model::EventTime &time) {
    if (time.timed == 0)
        return nullptr;
    return {{"timed", time.timed},
            {"insideNs", time.inside_ns},
            {"insideError", error_of(time.inside_error_ns)},
            {"ownNs", time.own_ns},
            {"ownError", error_of(time.own_error_ns)}};
}

Json events(const model::Profile &profile, const EventNames &names) {
    Json list = Json::array();
    for (const auto &event : profile.events)
        list.push_back({{"name", names.of(event.name)},
                        {"kind", word(event.kind)},
                        {"raises", event.raises},
                        {"error", error_of(event.error)},
                        {"bindingChanges", event.binding_changes},
                        {"time", event_time(event.time)}});
    return list;
}

Json edges(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &edge : profile.edges)
        list.push_back({{"from", edge.from},
                        {"to", edge.to},
                        {"mode", word(edge.mode)},
                        {"weight", edge.weight},
                        {"error", error_of(edge.error)}});
    return list;
}

Json sequences(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &sequence : profile.sequences) {
        Json targets = Json::array();
        for (const auto &target : sequence.targets)
            targets.push_back(
                {{"function", index_or_null(target.function)}, {"context", index_or_null(target.context)}});
        list.push_back({{"event", index_or_null(sequence.event)},
                        {"site", index_or_null(sequence.site)},
                        {"targets", std::move(targets)},
                        {"truncated", sequence.truncated},
                        {"count", sequence.count},
                        {"error", error_of(sequence.error)}});
    }
    return list;
}

Json nestings(const model::Profile &profile, const model::Graphs *graphs) {
    Json list = Json::array();
    for (const auto &nesting : profile.nestings)
        list.push_back({{"parent", index_or_null(nesting.parent_event)},
                        {"position", nesting.position},
                        {"handler", index_or_null(nesting.handler)},
                        {"child", index_or_null(nesting.child_event)},
                        {"mode", word(nesting.mode)},
                        {"count", nesting.count},
                        {"error", error_of(nesting.error)},
                        {"perActivation", nullptr},
                        {"chain", false}});
    if (graphs != nullptr)
        for (const auto &one : graphs->subsumptions) {
            if (one.nesting >= list.size())
                continue;
            list[one.nesting]["perActivation"] = one.raises_per_activation;
            list[one.nesting]["chain"] = one.chain;
        }
    return list;
}

Json paths(const std::vector<model::EventPath> &paths) {
    Json list = Json::array();
    for (const auto &path : paths)
        list.push_back({{"events", path.events}, {"weight", path.weight}, {"error", error_of(path.error)}});
    return list;
}

Json handler_graph(const model::HandlerGraph &graph) {
    Json nodes = Json::array();
    for (const auto &vertex : graph.vertices)
        nodes.push_back({{"event", index_or_null(vertex.event)}, {"function", index_or_null(vertex.function)}});
    Json edges = Json::array();
    for (const auto &edge : graph.edges)
        edges.push_back({{"from", edge.from},
                         {"to", edge.to},
                         {"step", word(edge.step)},
                         {"weight", edge.weight},
                         {"error", error_of(edge.error)}});
    return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

Json call_graph(const model::SystemCallGraph &graph) {
    Json sequences = Json::array();
    for (const auto &one : graph.sequences)
        sequences.push_back({{"sites", one.sites}, {"weight", one.weight}, {"repeats", one.repeats}});
    return {{"eta", graph.eta}, {"sequences", std::move(sequences)}};
}

Json graphs(const model::Graphs *graphs) {
    if (graphs == nullptr)
        return nullptr;
    return {{"eta", graphs->eta},
            {"paths", paths(graphs->paths)},
            {"chains", paths(graphs->chains)},
            {"handlers", handler_graph(graphs->handlers)},
            {"systemCalls", call_graph(graphs->system_calls)}};
}

Json system_calls(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &one : profile.system_calls)
        list.push_back({{"site", one.site},
                        {"calls", one.calls},
                        {"errors", one.errors},
                        {"zeros", one.zeros},
                        {"shorts", one.shorts},
                        {"askedBytes", one.asked_bytes},
                        {"givenBytes", one.given_bytes},
                        {"timed", one.timed},
                        {"insideNs", one.inside_ns}});
    return list;
}

Json system_call_edges(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &edge : profile.system_call_edges)
        list.push_back({{"from", edge.from},
                        {"to", edge.to},
                        {"weight", edge.weight},
                        {"sameDescriptor", edge.same_descriptor},
                        {"sameBuffer", edge.same_buffer},
                        {"resultIsSize", edge.result_is_size},
                        {"adjacent", edge.adjacent},
                        {"timed", edge.timed},
                        {"betweenNs", edge.between_ns},
                        {"leastNs", edge.least_ns}});
    return list;
}

Json releases(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &one : profile.releases)
        list.push_back({{"from", one.from}, {"to", one.to}, {"count", one.count}});
    return list;
}

Json guards(const model::Profile &profile) {
    Json list = Json::array();
    for (const auto &guard : profile.guards)
        list.push_back({{"decision", guard.decision},
                        {"event", guarded_name(guard.event)},
                        {"hits", guard.hits},
                        {"failures", guard.failures}});
    return list;
}

Json coverage(const model::Coverage &coverage) {
    return {{"dispatches", coverage.dispatches},
            {"recorded", coverage.recorded},
            {"lost", coverage.lost},
            {"runs", coverage.runs},
            {"processes", coverage.processes},
            {"threads", coverage.threads}};
}

Json decision(const model::Decision &decision, const EventNames &names) {
    Json targets = Json::array();
    for (const auto &target : decision.targets)
        targets.push_back({{"function", short_name(target.function)},
                           {"fullFunction", readable(target.function)},
                           {"context", short_name(target.context)}});
    Json facts = Json::array();
    for (const auto &fact : decision.facts)
        facts.push_back({{"text", fact_words(fact)}, {"trusted", is_trusted(fact)}});
    return {{"id", decision.id},
            {"kind", model::kind_word(decision.kind)},
            {"apply", decision.verdict == model::Verdict::apply},
            {"event", names.of(decision.event)},
            {"site", site(decision.site)},
            {"targets", std::move(targets)},
            {"facts", std::move(facts)},
            {"parent", decision.parent},
            {"position", decision.position},
            {"chain", decision.chain},
            {"weight", decision.weight},
            {"weightError", error_of(decision.weight_error)},
            {"share", decision.share},
            {"gainNs", decision.predicted_gain_ns},
            {"gainMs", decision.predicted_gain_total_ms},
            {"growth", decision.growth_instructions},
            {"guard", decision.guard},
            {"reason", with_short_names(decision.reason)},
            {"refusal", decision.refusal}};
}

Json decisions(const model::Plan *plan, const EventNames &names) {
    if (plan == nullptr)
        return nullptr;
    Json list = Json::array();
    for (const auto &one : plan->decisions)
        list.push_back(decision(one, names));
    return list;
}

Json layer_line(const LayerLine &line) {
    Json reasons = Json::array();
    for (const auto &reason : line.times.reasons)
        reasons.push_back(with_short_names(reason));
    return {{"line", line.times.line},         {"text", line.has_text ? Json(line.text) : Json()},
            {"marks", marks_of(line.times)},   {"evaluated", line.times.evaluated},
            {"residual", line.times.residual}, {"tested", line.times.tested},
            {"trusted", line.times.trusted},   {"reasons", std::move(reasons)}};
}

Json functions(const model::DecisionOutcome &outcome, const Sources &sources) {
    Json list = Json::array();
    for (const auto &function : layer_functions(outcome, sources)) {
        Json lines = Json::array();
        for (const auto &line : function.lines)
            lines.push_back(layer_line(line));
        list.push_back({{"function", short_name(function.function)},
                        {"fullFunction", readable(function.function)},
                        {"place", function.place},
                        {"problem", function.problem},
                        {"evaluated", function.evaluated},
                        {"residual", function.residual},
                        {"tested", function.tested},
                        {"trusted", function.trusted},
                        {"lines", std::move(lines)}});
    }
    return list;
}

Json outcome(const model::Outcome *outcome, const Sources &sources) {
    if (outcome == nullptr)
        return nullptr;
    Json list = Json::array();
    for (const auto &one : outcome->decisions)
        list.push_back({{"decision", one.decision},
                        {"applied", one.applied},
                        {"reason", with_short_names(one.reason)},
                        {"growth", one.growth_instructions},
                        {"functions", functions(one, sources)}});
    return {{"decisions", std::move(list)},
            {"instructionsBefore", outcome->instructions_before},
            {"instructionsAfter", outcome->instructions_after}};
}

Json estimate(const model::Estimate &estimate) {
    return {{"median", estimate.median},
            {"low", estimate.low},
            {"high", estimate.high},
            {"confidence", estimate.confidence},
            {"n", estimate.n}};
}

const char *word(model::Agreement agreement) {
    switch (agreement) {
    case model::Agreement::equal:
        return "equal";
    case model::Agreement::differ:
        return "differ";
    case model::Agreement::unstable:
        return "unstable";
    }
    return "unstable";
}

const char *word(model::Speed speed) {
    switch (speed) {
    case model::Speed::faster:
        return "faster";
    case model::Speed::slower:
        return "slower";
    case model::Speed::within_noise:
        return "within_noise";
    }
    return "within_noise";
}

Json comparison(const model::Comparison *comparison) {
    if (comparison == nullptr)
        return nullptr;
    const model::Measurement &times = comparison->measurement;
    Json differences = Json::array();
    for (const auto &one : comparison->differences)
        differences.push_back({{"what", one.what},
                               {"program", one.program},
                               {"round", one.round},
                               {"offset", one.offset},
                               {"line", one.line},
                               {"expected", one.expected},
                               {"found", one.found}});
    return {{"original", times.original},
            {"candidate", times.candidate},
            {"command", times.command},
            {"agreement", word(comparison->agreement)},
            {"compared", comparison->compared},
            {"differences", std::move(differences)},
            {"ending", comparison->ending},
            {"speed", word(comparison->speed)},
            {"metric", comparison->metric},
            {"summary", comparison->summary},
            {"wall", {{"ratio", estimate(times.wall_ratio)}, {"noise", estimate(times.wall_noise)}}},
            {"cpu", {{"ratio", estimate(times.cpu_ratio)}, {"noise", estimate(times.cpu_noise)}}}};
}

// `<`, `>` and `&` stand only inside strings of JSON, where the escape says the same.
std::string without_markup(const std::string &json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else if (c == '>')
            safe += "\\u003e";
        else if (c == '&')
            safe += "\\u0026";
        else
            safe += c;
    }
    return safe;
}

}  // namespace

std::string html_data(const ReportData &data) {
    const model::Profile &profile = *data.profile;
    const EventNames names(profile);
    Json sites = Json::array();
    for (const auto &one : profile.sites)
        sites.push_back(site(one));
    const Json root = {
        {"version", data_version},
        {"recorded", data.recorded},
        {"program", {{"path", profile.program}, {"buildId", profile.build_id}, {"command", profile.command}}},
        {"coverage", coverage(profile.coverage)},
        {"symbols", symbols(profile)},
        {"sites", std::move(sites)},
        {"events", events(profile, names)},
        {"edges", edges(profile)},
        {"sequences", sequences(profile)},
        {"nestings", nestings(profile, data.graphs)},
        {"callTimes", clock_words(profile.call_clock)},
        {"systemCalls", system_calls(profile)},
        {"systemCallEdges", system_call_edges(profile)},
        {"releases", releases(profile)},
        {"graphs", graphs(data.graphs)},
        {"guards", guards(profile)},
        {"decisions", decisions(data.plan, names)},
        {"outcome", outcome(data.outcome, data.sources == nullptr ? Sources{} : *data.sources)},
        {"comparison", comparison(data.comparison)},
    };
    constexpr int compact = -1;
    return without_markup(root.dump(compact, ' ', true, Json::error_handler_t::replace));
}

}  // namespace thalweg::report
