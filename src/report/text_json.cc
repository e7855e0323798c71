// report: the artefacts as JSON for programs. Member names are those of the model's types.
#include <nlohmann/json.hpp>

#include "report/facts.h"
#include "report/system_call.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Profile;

namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json &json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json place(const model::SourcePlace &place) {
    if (place.file.empty())
        return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json site(const model::Site &site) {
    return {{"function", site.function},
            {"ordinal", site.ordinal},
            {"body_hash", fmt::format("0x{:016x}", site.body_hash)},
            {"kind", word(site.kind)},
            {"callee", site.callee.empty() ? Json() : Json(site.callee)},
            {"place", place(site.place)}};
}

Json symbol_name(const Profile &profile, uint32_t symbol) {
    return symbol == model::none ? Json() : Json(profile.symbols[symbol].name);
}

Json event_names(const Profile &profile, const std::vector<uint32_t> &events) {
    Json list = Json::array();
    for (uint32_t event : events)
        list.push_back(profile.events[event].name);
    return list;
}

template <class Entries, class Each>
Json list_of(const Entries &entries, Each each) {
    Json list = Json::array();
    for (const auto &entry : entries)
        list.push_back(each(entry));
    return list;
}

// How far a count may be off: 0, it is exact; null, nobody knows.
Json error_of(uint64_t error) { return error == model::unknown_error ? Json() : Json(error); }

Json edge(const Profile &profile, const model::Edge &edge) {
    return {{"from", profile.events[edge.from].name},
            {"to", profile.events[edge.to].name},
            {"mode", word(edge.mode)},
            {"weight", edge.weight},
            {"error", error_of(edge.error)}};
}

Json sequence(const Profile &profile, const model::Sequence &sequence) {
    Json targets = list_of(sequence.targets, [&](const model::Target &target) {
        return Json{{"function", symbol_name(profile, target.function)},
                    {"context", symbol_name(profile, target.context)},
                    {"context_offset", target.context_offset},
                    {"ordinal", target.ordinal}};
    });
    return {{"site", site(profile.sites[sequence.site])},
            {"event", profile.events[sequence.event].name},
            {"count", sequence.count},
            {"error", error_of(sequence.error)},
            {"truncated", sequence.truncated},
            {"targets", std::move(targets)}};
}

Json nesting(const Profile &profile, const model::Nesting &nesting) {
    return {{"parent_event", profile.events[nesting.parent_event].name},
            {"parent_site", site(profile.sites[nesting.parent_site])},
            {"position", nesting.position},
            {"handler", symbol_name(profile, nesting.handler)},
            {"child_event", profile.events[nesting.child_event].name},
            {"child_site", site(profile.sites[nesting.child_site])},
            {"mode", word(nesting.mode)},
            {"count", nesting.count},
            {"error", error_of(nesting.error)}};
}

Json coverage(const model::Coverage &coverage) {
    return {{"dispatches", coverage.dispatches},
            {"recorded", coverage.recorded},
            {"lost", coverage.lost},
            {"runs", coverage.runs},
            {"processes", coverage.processes},
            {"threads", coverage.threads}};
}

Json call_edge(const Profile &profile, const model::SystemCallEdge &edge) {
    return {{"from", site(profile.sites[edge.from])},
            {"to", site(profile.sites[edge.to])},
            {"weight", edge.weight},
            {"same_descriptor", edge.same_descriptor},
            {"same_buffer", edge.same_buffer},
            {"result_is_size", edge.result_is_size},
            {"adjacent", edge.adjacent},
            {"timed", edge.timed},
            {"between_ns", edge.timed == 0 ? Json() : Json(edge.between_ns)},
            {"least_ns", edge.timed == 0 ? Json() : Json(edge.least_ns)}};
}

void add_system_calls(const Profile &profile, Json &json) {
    json["system_calls"] = list_of(profile.system_calls, [&](const model::NotedSystemCall &one) {
        return Json{{"site", site(profile.sites[one.site])},
                    {"calls", one.calls},
                    {"errors", one.errors},
                    {"zeros", one.zeros},
                    {"shorts", one.shorts},
                    {"asked_bytes", one.asked_bytes},
                    {"given_bytes", one.given_bytes},
                    {"timed", one.timed},
                    {"inside_ns", one.timed == 0 ? Json() : Json(one.inside_ns)}};
    });
    json["call_clock"] = word(profile.call_clock);
    json["system_call_edges"] =
        list_of(profile.system_call_edges, [&](const model::SystemCallEdge &one) { return call_edge(profile, one); });
    json["releases"] = list_of(profile.releases, [&](const model::Release &one) {
        return Json{{"from", site(profile.sites[one.from])}, {"to", site(profile.sites[one.to])}, {"count", one.count}};
    });
}

Json system_call_graph(const Profile &profile, const model::SystemCallGraph &graph) {
    Json json{{"eta", graph.eta}};
    json["edges"] = list_of(graph.edges, [&](const model::SystemCallEdge &one) { return call_edge(profile, one); });
    json["sequences"] = list_of(graph.sequences, [&](const model::CallSequence &sequence) {
        return Json{{"calls", list_of(sequence.sites, [&](uint32_t at) { return site(profile.sites[at]); })},
                    {"weight", sequence.weight},
                    {"repeats", sequence.repeats}};
    });
    return json;
}

Json event_time(const model::EventTime &time) {
    if (time.timed == 0)
        return nullptr;
    return {{"timed", time.timed},
            {"inside_ns", time.inside_ns},
            {"inside_error_ns", error_of(time.inside_error_ns)},
            {"own_ns", time.own_ns},
            {"own_error_ns", error_of(time.own_error_ns)}};
}

Json profile_json(const Profile &profile) {
    Json json{{"program", profile.program},
              {"build_id", profile.build_id},
              {"command", profile.command},
              {"instructions", profile.instructions},
              {"coverage", coverage(profile.coverage)}};
    json["events"] = list_of(profile.events, [](const model::Event &event) {
        return Json{{"name", event.name},
                    {"kind", word(event.kind)},
                    {"raises", event.raises},
                    {"error", error_of(event.error)},
                    {"binding_changes", event.binding_changes},
                    {"time", event_time(event.time)}};
    });
    json["edges"] = list_of(profile.edges, [&](const model::Edge &entry) { return edge(profile, entry); });
    json["sequences"] = list_of(profile.sequences, [&](const model::Sequence &s) { return sequence(profile, s); });
    json["nestings"] = list_of(profile.nestings, [&](const model::Nesting &n) { return nesting(profile, n); });
    json["guards"] = list_of(profile.guards, [](const model::GuardCount &guard) {
        return Json{
            {"decision", guard.decision}, {"event", guard.event}, {"hits", guard.hits}, {"failures", guard.failures}};
    });
    add_system_calls(profile, json);
    return json;
}

Json path(const Profile &profile, const model::EventPath &path) {
    return {{"events", event_names(profile, path.events)}, {"weight", path.weight}, {"error", error_of(path.error)}};
}

Json graphs_json(const TextData &data) {
    const Profile &profile = *data.profile;
    const model::Graphs &graphs = *data.graphs;
    auto edge_of = [&](const model::Edge &entry) { return edge(profile, entry); };
    auto path_of = [&](const model::EventPath &entry) { return path(profile, entry); };
    Json json{{"eta", graphs.eta}};
    json["event_graph"] = list_of(graphs.event_graph.edges, edge_of);
    json["reduced"] = list_of(graphs.reduced.edges, edge_of);
    json["chains"] = list_of(graphs.chains, path_of);
    json["paths"] = list_of(graphs.paths, path_of);
    json["subsumptions"] = list_of(graphs.subsumptions, [&](const model::Subsumption &subsumption) {
        Json entry = nesting(profile, profile.nestings[subsumption.nesting]);
        entry["parent_activations"] = subsumption.parent_activations;
        entry["raises_per_activation"] = subsumption.raises_per_activation;
        entry["chain"] = subsumption.chain;
        return entry;
    });
    json["system_calls"] = system_call_graph(profile, graphs.system_calls);
    return json;
}

Json decision_json(const model::Decision &decision) {
    Json json{{"id", decision.id},
              {"kind", model::kind_word(decision.kind)},
              {"verdict", decision.verdict == model::Verdict::apply ? "apply" : "refuse"},
              {"event", decision.event},
              {"site", site(decision.site)}};
    json["targets"] = list_of(decision.targets, [](const model::PlannedTarget &target) {
        return Json{{"function", target.function},
                    {"context", target.context.empty() ? Json() : Json(target.context)},
                    {"context_offset", target.context_offset},
                    {"ordinal", target.ordinal}};
    });
    if (is_of_system_calls(decision.kind))
        json["group"] = list_of(decision.group, site);
    if (!decision.independent.empty())
        json["independent"] = list_of(decision.independent, [](const model::IndependentCalls &one) {
            return Json{{"program", one.program}, {"version", one.version}, {"procedures", one.procedures}};
        });
    if (decision.kind == model::DecisionKind::subsume)
        json.update({{"parent", decision.parent}, {"position", decision.position}, {"chain", decision.chain}});
    if (decision.kind == model::DecisionKind::specialize) {
        json["parent"] = decision.parent == 0 ? Json() : Json(decision.parent);
        json["facts"] = list_of(decision.facts, [](const model::Fact &fact) {
            return Json{{"fact", fact_words(fact)}, {"trusted", is_trusted(fact)}};
        });
    }
    json.update({{"alternative", decision.alternative},
                 {"weight", decision.weight},
                 {"weight_error", error_of(decision.weight_error)},
                 {"share", decision.share},
                 {"predicted_gain_ns", decision.predicted_gain_ns},
                 {"predicted_gain_total_ms", decision.predicted_gain_total_ms},
                 {"growth_instructions", decision.growth_instructions},
                 {"guard", decision.guard},
                 {"reason", decision.reason},
                 {"refusal", decision.refusal.empty() ? Json() : Json(decision.refusal)}});
    return json;
}

Json plan_json(const model::Plan &plan) {
    return {{"program", plan.program},
            {"build_id", plan.build_id},
            {"costs", plan.costs.empty() ? "built-in" : plan.costs},
            {"decisions", list_of(plan.decisions, decision_json)}};
}

Json line_json(const model::LineTimes &line) {
    return {{"line", line.line},     {"evaluated", line.evaluated}, {"residual", line.residual},
            {"tested", line.tested}, {"trusted", line.trusted},     {"reasons", line.reasons}};
}

Json outcome_json(const model::DecisionOutcome &outcome) {
    Json json{{"decision", outcome.decision},
              {"applied", outcome.applied},
              {"reason", outcome.reason},
              {"growth_instructions", outcome.growth_instructions}};
    if (!outcome.functions.empty())
        json["functions"] = list_of(outcome.functions, [](const model::FunctionTimes &function) {
            return Json{{"function", function.function},
                        {"file", function.file},
                        {"directory", function.directory},
                        {"first_line", function.first_line},
                        {"lines", list_of(function.lines, line_json)}};
        });
    return json;
}

}  // namespace

std::string json_profile(const Profile &profile) { return print(profile_json(profile)); }

std::string json_plan(const model::Plan &plan) { return print(plan_json(plan)); }

std::string json_report(const TextData &data) {
    Json json = Json::object();
    if (data.profile != nullptr)
        json = {{"profile", profile_json(*data.profile)}, {"graphs", graphs_json(data)}};
    if (data.plan != nullptr)
        json["plan"] = plan_json(*data.plan);
    if (data.outcome != nullptr)
        json["outcome"] = {{"instructions_before", data.outcome->instructions_before},
                           {"instructions_after", data.outcome->instructions_after},
                           {"decisions", list_of(data.outcome->decisions, outcome_json)}};
    return print(json);
}

std::string json_decision(const model::Decision &decision, const model::DecisionOutcome *outcome) {
    Json json = decision_json(decision);
    if (outcome != nullptr)
        json["outcome"] = outcome_json(*outcome);
    return print(json);
}

std::string json_diff(const model::ProfileDiff &diff) {
    auto entry = [](const model::DiffEntry &e) {
        return Json{{"what", e.what},
                    {"before", e.before},
                    {"after", e.after},
                    {"share_before", e.share_before},
                    {"share_after", e.share_after}};
    };
    return print({{"events", list_of(diff.events, entry)},
                  {"edges", list_of(diff.edges, entry)},
                  {"sequences", list_of(diff.sequences, entry)},
                  {"binding_changes", list_of(diff.binding_changes, entry)},
                  {"system_calls", list_of(diff.system_calls, entry)},
                  {"system_call_edges", list_of(diff.system_call_edges, entry)}});
}

}  // namespace thalweg::report
