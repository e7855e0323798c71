// report: the artefacts as JSON for programs. Member names are those of the model's types.
#include "report/facts.h"
#include "report/fields_json.h"
#include "report/system_call.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Profile;

namespace {

std::string print(const Json &json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

// Indices become names, of sites objects.
struct NamesForm {
    static constexpr bool has_hashes = true;
    const Profile *profile = nullptr;
    static const char *name(const char *row) { return row; }
    static const std::string &text(const auto &, const std::string &value) { return value; }
    Json index(model::fields::List list, uint32_t index) const;
};

Json site(const model::Site &site) {
    const NamesForm form;
    return FieldsJson(form).entry(site);
}

Json NamesForm::index(model::fields::List list, uint32_t index) const {
    switch (list) {
    case model::fields::List::sites:
    case model::fields::List::calls:
        return site(profile->sites[index]);
    case model::fields::List::symbols:
    case model::fields::List::code:
        return profile->symbols[index].name;
    case model::fields::List::events:
        return profile->events[index].name;
    case model::fields::List::functions:
        return profile->functions[index].body.name;
    }
    return nullptr;
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

Json system_call_graph(const Profile &profile, const model::SystemCallGraph &graph) {
    Json json{{"eta", graph.eta}};
    const NamesForm form{&profile};
    json["edges"] = FieldsJson(form).list(graph.edges);
    json["sequences"] = list_of(graph.sequences, [&](const model::CallSequence &sequence) {
        return Json{{"calls", list_of(sequence.sites, [&](uint32_t at) { return site(profile.sites[at]); })},
                    {"weight", sequence.weight},
                    {"repeats", sequence.repeats}};
    });
    return json;
}

Json profile_json(const Profile &profile) {
    Json json{{"program", profile.program},
              {"build_id", profile.build_id},
              {"command", profile.command},
              {"instructions", profile.instructions}};
    const NamesForm form{&profile};
    const FieldsJson fields(form);
    json["coverage"] = fields.entry(profile.coverage);
    json["events"] = fields.list(profile.events);
    json["edges"] = fields.list(profile.edges);
    json["sequences"] = fields.list(profile.sequences);
    json["nestings"] = fields.list(profile.nestings);
    json["guards"] = fields.list(profile.guards);
    json["system_calls"] = fields.list(profile.system_calls);
    json["call_clock"] = word(profile.call_clock);
    json["system_call_edges"] = fields.list(profile.system_call_edges);
    json["output_calls"] = fields.list(profile.output_calls);
    json["block_calls"] = fields.list(profile.block_calls);
    json["releases"] = fields.list(profile.releases);
    return json;
}

Json path(const Profile &profile, const model::EventPath &path) {
    return {{"events", event_names(profile, path.events)}, {"weight", path.weight}, {"error", error_json(path.error)}};
}

Json graphs_json(const TextData &data) {
    const Profile &profile = *data.profile;
    const model::Graphs &graphs = *data.graphs;
    const NamesForm form{&profile};
    const FieldsJson fields(form);
    auto path_of = [&](const model::EventPath &entry) { return path(profile, entry); };
    Json json{{"eta", graphs.eta}};
    json["event_graph"] = fields.list(graphs.event_graph.edges);
    json["reduced"] = fields.list(graphs.reduced.edges);
    json["chains"] = list_of(graphs.chains, path_of);
    json["paths"] = list_of(graphs.paths, path_of);
    json["subsumptions"] = list_of(graphs.subsumptions, [&](const model::Subsumption &subsumption) {
        Json entry = fields.entry(profile.nestings[subsumption.nesting]);
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
              {"kind", model::kind_word(decision.kind())},
              {"verdict", decision.verdict == model::Verdict::apply ? "apply" : "refuse"},
              {"event", decision.event},
              {"site", site(decision.site)}};
    json["targets"] = list_of(decision.targets(), [](const model::PlannedTarget &target) {
        return Json{{"function", target.function},
                    {"context", target.context.empty() ? Json() : Json(target.context)},
                    {"context_offset", target.context_offset},
                    {"ordinal", target.ordinal}};
    });
    if (is_of_calls(decision.kind()))
        json["group"] = list_of(decision.group(), site);
    if (const auto *overlap = std::get_if<model::Overlap>(&decision.work); overlap && !overlap->independent.empty())
        json["independent"] = list_of(overlap->independent, [](const model::IndependentCalls &one) {
            return Json{{"program", one.program}, {"version", one.version}, {"procedures", one.procedures}};
        });
    if (const auto *inside = std::get_if<model::Subsume>(&decision.work))
        json.update({{"parent", decision.parent}, {"position", inside->position}, {"chain", inside->chain}});
    if (decision.kind() == model::DecisionKind::specialize) {
        json["parent"] = decision.parent == 0 ? Json() : Json(decision.parent);
        json["facts"] = list_of(decision.facts(), [](const model::Fact &fact) {
            return Json{{"fact", fact_words(fact)}, {"trusted", is_trusted(fact)}};
        });
    }
    json.update({{"alternative", decision.alternative},
                 {"weight", decision.weight},
                 {"weight_error", error_json(decision.weight_error)},
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
