// model: the strict reader of a plan's TOML; every message names the line (docs/formats/plan.md).
#include <toml++/toml.h>

#include "base/text_shape.h"
#include "model/plan_fields.h"
#include "model/toml_fields.h"

namespace thalweg::model {

namespace {

Decision read_decision(const toml::table &table, json::Problem &problem) {
    Decision decision;
    toml_fields::Reader(problem).table(table, decision);
    // Before there was such a word, and by hand, who declared facts gave no number.
    if (!table.contains("provenance") && decision.kind() == DecisionKind::specialize &&
        decision.growth_instructions == 0)
        decision.provenance = Provenance::declared;
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
    keys.tables("left_out", max_decisions,
                [&](const toml::table &one) { toml_fields::Reader(problem).table(one, plan.left_out.emplace_back()); });
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
