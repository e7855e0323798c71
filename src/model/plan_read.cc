// model: the strict reader of a plan's TOML; every message names the line (docs/formats/plan.md).
#include <toml++/toml.h>

#include "base/text_shape.h"
#include "model/fact_toml.h"
#include "model/plan.h"
#include "model/toml_keys.h"

namespace thalweg::model {

namespace {

Site read_site(const toml::table &table, json::Problem &problem) {
    Site site;
    Keys keys(table, problem);
    keys.text("function", site.function, true);
    keys.number("ordinal", site.ordinal);
    keys.hash("body_hash", site.body_hash);
    static constexpr SiteKind kinds[] = {SiteKind::list, SiteKind::event, SiteKind::call};
    site.kind = kinds[keys.one_of("kind", {"list", "event", "call"}, false)];
    keys.text("callee", site.callee);
    keys.place(site.place);
    keys.finish();
    return site;
}

PlannedTarget read_target(const toml::table &table, json::Problem &problem) {
    PlannedTarget target;
    Keys keys(table, problem);
    keys.text("function", target.function, true);
    keys.text("context", target.context);
    keys.number("context_offset", target.context_offset);
    keys.number("ordinal", target.ordinal);
    keys.finish();
    return target;
}

IndependentCalls read_independent(const toml::table &table, json::Problem &problem) {
    IndependentCalls calls;
    Keys keys(table, problem);
    keys.number("program", calls.program, true);
    keys.number("version", calls.version, true);
    std::vector<int64_t> procedures;
    keys.numbers("procedures", max_independent, procedures);
    for (const int64_t procedure : procedures) {
        if (procedure < 0 || procedure > UINT32_MAX)
            keys.complain(table, "procedures", "has an entry that is no procedure's number");
        calls.procedures.push_back(static_cast<uint32_t>(procedure));
    }
    keys.finish();
    return calls;
}

Decision read_decision(const toml::table &table, json::Problem &problem) {
    Decision decision;
    Keys keys(table, problem);
    keys.number("id", decision.id, true);
    decision.kind = static_cast<DecisionKind>(keys.one_of(
        "kind", {"merge", "subsume", "specialize", "cache", "elide", "hoist", "coalesce", "fuse", "overlap"}, true));
    decision.verdict = keys.one_of("verdict", {"apply", "refuse"}, true) == 0 ? Verdict::apply : Verdict::refuse;
    const bool has_provenance = keys.find("provenance", false) != nullptr;
    decision.provenance = static_cast<Provenance>(keys.one_of("provenance", {"recorded", "declared", "edited"}, false));
    keys.text("event", decision.event);
    keys.text("library", decision.library);
    if (const toml::node *site = keys.find("site", true); site != nullptr) {
        if (const toml::table *fields = site->as_table(); fields != nullptr)
            decision.site = read_site(*fields, problem);
        else
            keys.complain(*site, "site", "is not { function = ..., ordinal = ... }");
    }
    keys.tables("group", max_group, [&](const toml::table &one) { decision.group.push_back(read_site(one, problem)); });
    keys.tables("independent", max_independent,
                [&](const toml::table &one) { decision.independent.push_back(read_independent(one, problem)); });
    keys.tables("targets", max_targets,
                [&](const toml::table &one) { decision.targets.push_back(read_target(one, problem)); });
    keys.tables("facts", max_facts, [&](const toml::table &one) { decision.facts.push_back(read_fact(one, problem)); });
    keys.number("parent", decision.parent);
    keys.number("position", decision.position);
    keys.flag("chain", decision.chain);
    keys.number("alternative", decision.alternative);
    keys.number("weight", decision.weight);
    keys.number("weight_error", decision.weight_error);
    keys.decimal("share", decision.share);
    keys.decimal("predicted_gain_ns", decision.predicted_gain_ns);
    keys.decimal("predicted_gain_total_ms", decision.predicted_gain_total_ms);
    keys.number("growth_instructions", decision.growth_instructions);
    keys.text("guard", decision.guard);
    keys.text("reason", decision.reason);
    keys.text("refusal", decision.refusal);
    // Before there was such a word, and by hand, who declared facts gave no number.
    if (!has_provenance && decision.kind == DecisionKind::specialize && decision.growth_instructions == 0)
        decision.provenance = Provenance::declared;
    keys.finish();
    return decision;
}

void read_decisions(Keys &keys, Plan &plan, json::Problem &problem) {
    const toml::node *node = keys.find("decision", false);
    if (node == nullptr)
        return;
    const toml::array *decisions = node->as_array();
    if (decisions == nullptr)
        return keys.complain(*node, "decision", "is not a list: write [[decision]]");
    for (const toml::node &entry : *decisions) {
        const toml::table *table = entry.as_table();
        if (table == nullptr)
            return keys.complain(entry, "decision", "is not a table: write [[decision]]");
        plan.decisions.push_back(read_decision(*table, problem));
        if (problem.any())
            return;
    }
}

Result<Plan> from_table(const toml::table &table) {
    json::Problem problem;
    Keys keys(table, problem);
    std::string format;
    uint32_t version = 0;
    keys.text("format", format, true);
    keys.number("version", version, true);
    if (!problem.any() && format != "thalweg-plan")
        problem.add(fmt::format("it is a \"{}\"", format));
    if (!problem.any() && version != Plan::version)
        problem.add(
            fmt::format("version {}, this tool reads version {}: run `thalweg plan` again", version, Plan::version));
    Plan plan;
    keys.text("program", plan.program);
    keys.text("build_id", plan.build_id);
    keys.text("costs", plan.costs);
    keys.tables("left_out", max_decisions, [&](const toml::table &one) {
        CountedRefusals &refusals = plan.left_out.emplace_back();
        Keys of_one(one, problem);
        of_one.text("refusal", refusals.refusal, true);
        of_one.number("count", refusals.count, true);
        of_one.finish();
    });
    if (!problem.any())
        read_decisions(keys, plan, problem);
    keys.finish();
    if (problem.any())
        return fail(ErrorCode::does_not_fit, "not a usable plan: {}", problem.text());
    if (Status valid = validate(plan); !valid)
        return valid.error();
    return plan;
}

}  // namespace

Result<Plan> read_plan(const std::string &text) {
    if (text.starts_with("SQLite format 3"))
        return fail(ErrorCode::does_not_fit, "this is a profile, not a plan; `thalweg plan` makes a plan of it");
    TextShape toml_shape{.hash_comments = true, .literal_strings = true, .dotted_keys = false};
    if (std::string problem = wrong_shape(text, toml_shape); !problem.empty())
        return fail(ErrorCode::does_not_fit, "not a plan: {}", problem);
    try {
        return from_table(toml::parse(text));
    } catch (const toml::parse_error &error) {
        return fail(ErrorCode::does_not_fit, "not a plan: line {}, column {}: {}", error.source().begin.line,
                    error.source().begin.column, error.description());
    }
}

}  // namespace thalweg::model
