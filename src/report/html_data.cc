// report: the artefacts as the JSON that the page reads (docs/formats/report-data.md). Computes nothing.
#include <map>
#include <set>

#include "report/decision_words.h"
#include "report/facts.h"
#include "report/fields_json.h"
#include "report/html.h"
#include "report/names.h"
#include "report/system_call.h"

namespace thalweg::report {
namespace {

Json index_or_null(uint32_t index) { return index == model::none ? Json() : Json(index); }

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

// Members in the page's way of writing them, names as short as it shows them, indices as they are.
struct PageForm {
    static constexpr bool has_hashes = false;
    const EventNames &names;
    static std::string name(std::string_view row) {
        std::string camel;
        for (size_t i = 0; i < row.size(); ++i)
            if (row[i] != '_')
                camel += i > 0 && row[i - 1] == '_' ? static_cast<char>(row[i] - 'a' + 'A') : row[i];
        return camel;
    }
    static Json index(model::fields::List, uint32_t index) { return index; }
    static std::string text(const model::fields::Row<model::Site, std::string> &row, const std::string &value) {
        return row.role == model::fields::Role::name ? short_name(value) : value;
    }
    static std::string text(const model::fields::Row<model::Symbol, std::string> &, const std::string &value) {
        return short_name(value);
    }
    static std::string text(const model::fields::Row<model::NotedBlocks, std::string> &, const std::string &value) {
        return value;
    }
    static std::string text(const model::fields::Row<model::GuardCount, std::string> &, const std::string &value) {
        return guarded_name(value);
    }
    std::string text(const model::fields::Row<model::Event, std::string> &, const std::string &value) const {
        return names.of(value);
    }
};

Json symbols(const model::Profile &profile, const FieldsJson<PageForm> &fields) {
    Json list = fields.list(profile.symbols);
    for (size_t i = 0; i < list.size(); ++i)
        list[i]["fullName"] = readable(profile.symbols[i].name);
    return list;
}

Json nestings(const model::Profile &profile, const model::Graphs *graphs, const FieldsJson<PageForm> &fields) {
    Json list = fields.list(profile.nestings);
    for (Json &nesting : list) {
        nesting["perActivation"] = nullptr;
        nesting["chain"] = false;
    }
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
        list.push_back({{"events", path.events}, {"weight", path.weight}, {"error", error_json(path.error)}});
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
                         {"error", error_json(edge.error)}});
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

Json decision(const model::Decision &decision, const EventNames &names, const FieldsJson<PageForm> &fields) {
    Json targets = Json::array();
    for (const auto &target : decision.targets())
        targets.push_back({{"function", short_name(target.function)},
                           {"fullFunction", readable(target.function)},
                           {"context", short_name(target.context)}});
    Json facts = Json::array();
    for (const auto &fact : decision.facts())
        facts.push_back({{"text", fact_words(fact)}, {"trusted", is_trusted(fact)}});
    return {{"id", decision.id},
            {"kind", model::kind_word(decision.kind())},
            {"does", what_is_done(decision)},
            {"ofFunction", is_of_function(decision.kind())},
            {"apply", decision.verdict == model::Verdict::apply},
            {"event", names.of(decision.event)},
            {"site", fields.entry(decision.site)},
            {"targets", std::move(targets)},
            {"facts", std::move(facts)},
            {"parent", decision.parent},
            {"weight", decision.weight},
            {"weightError", error_json(decision.weight_error)},
            {"share", decision.share},
            {"gainNs", decision.predicted_gain_ns},
            {"gainMs", decision.predicted_gain_total_ms},
            {"growth", decision.growth_instructions},
            {"guard", decision.guard},
            {"reason", with_short_names(decision.reason)},
            {"refusal", decision.refusal},
            {"remedy", remedy_of(decision)}};
}

Json decisions(const model::Plan *plan, const EventNames &names, const FieldsJson<PageForm> &fields) {
    if (plan == nullptr)
        return nullptr;
    Json list = Json::array();
    for (const auto &one : plan->decisions)
        list.push_back(decision(one, names, fields));
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
    const PageForm form{names};
    const FieldsJson fields(form);
    const Json root = {
        {"version", data_version},
        {"recorded", data.recorded},
        {"program", {{"path", profile.program}, {"buildId", profile.build_id}, {"command", profile.command}}},
        {"coverage", fields.entry(profile.coverage)},
        {"symbols", symbols(profile, fields)},
        {"sites", fields.list(profile.sites)},
        {"events", fields.list(profile.events)},
        {"edges", fields.list(profile.edges)},
        {"sequences", fields.list(profile.sequences)},
        {"nestings", nestings(profile, data.graphs, fields)},
        {"callTimes", clock_words(profile.call_clock)},
        {"systemCalls", fields.list(profile.system_calls)},
        {"systemCallEdges", fields.list(profile.system_call_edges)},
        {"releases", fields.list(profile.releases)},
        {"outputCalls", fields.list(profile.output_calls)},
        {"blockCalls", fields.list(profile.block_calls)},
        {"graphs", graphs(data.graphs)},
        {"guards", fields.list(profile.guards)},
        {"decisions", decisions(data.plan, names, fields)},
        {"outcome", outcome(data.outcome, data.sources == nullptr ? Sources{} : *data.sources)},
        {"comparison", comparison(data.comparison)},
    };
    constexpr int compact = -1;
    return without_markup(root.dump(compact, ' ', true, Json::error_handler_t::replace));
}

}  // namespace thalweg::report
