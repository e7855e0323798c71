// model: what became of each decision in the optimised program, as JSON (docs/formats/outcome.md).
#include <set>

#include "model/json.h"
#include "model/limits.h"
#include "model/plan.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-outcome";

LineTimes read_line(const json::Value &value, const std::string &where, json::Problem &problem) {
    LineTimes times;
    json::Members members(value, where, problem);
    members.number("line", times.line, true);
    members.number("evaluated", times.evaluated);
    members.number("residual", times.residual);
    members.number("tested", times.tested);
    members.number("trusted", times.trusted);
    members.texts("reasons", max_reasons, times.reasons);
    members.finish();
    return times;
}

json::Ordered write_line(const LineTimes &times) {
    json::Ordered out = {{"line", times.line}, {"evaluated", times.evaluated}, {"residual", times.residual}};
    if (times.tested != 0)
        out["tested"] = times.tested;
    if (times.trusted != 0)
        out["trusted"] = times.trusted;
    if (!times.reasons.empty())
        out["reasons"] = times.reasons;
    return out;
}

FunctionTimes read_function(const json::Value &value, const std::string &where, json::Problem &problem) {
    FunctionTimes times;
    json::Members members(value, where, problem);
    members.text("function", times.function, true);
    members.text("file", times.file);
    members.text("directory", times.directory);
    members.number("first_line", times.first_line);
    members.list("lines", max_outcome_lines, [&](const json::Value &line, const std::string &place) {
        times.lines.push_back(read_line(line, place, problem));
    });
    members.finish();
    return times;
}

json::Ordered write_function(const FunctionTimes &times) {
    json::Ordered out = {{"function", times.function},
                         {"file", times.file},
                         {"directory", times.directory},
                         {"first_line", times.first_line}};
    json::Ordered &lines = out["lines"] = json::Ordered::array();
    for (const LineTimes &line : times.lines)
        lines.push_back(write_line(line));
    return out;
}

json::Ordered write_decision(const DecisionOutcome &decision) {
    json::Ordered out = {{"decision", decision.decision},
                         {"applied", decision.applied},
                         {"reason", decision.reason},
                         {"growth_instructions", decision.growth_instructions}};
    for (const FunctionTimes &function : decision.functions)
        out["functions"].push_back(write_function(function));
    return out;
}

DecisionOutcome read_decision(const json::Value &value, const std::string &where, json::Problem &problem) {
    DecisionOutcome outcome;
    json::Members members(value, where, problem);
    members.number("decision", outcome.decision, true);
    members.flag("applied", outcome.applied);
    members.text("reason", outcome.reason);
    members.signed_number("growth_instructions", outcome.growth_instructions);
    members.list("functions", max_symbols, [&](const json::Value &function, const std::string &place) {
        outcome.functions.push_back(read_function(function, place, problem));
    });
    members.finish();
    return outcome;
}

// The lists of an object's function, under the names of their keys.
struct NameList {
    const char *key;
    std::vector<std::string> ObjectFunction::*names;
};
constexpr NameList name_lists[] = {{"tags", &ObjectFunction::tags},
                                   {"by_value", &ObjectFunction::by_value},
                                   {"copies", &ObjectFunction::copies},
                                   {"externals", &ObjectFunction::externals}};

ObjectFunction read_object(const json::Value &value, json::Problem &problem) {
    ObjectFunction object;
    json::Members members(value, "object.", problem);
    members.text("symbol", object.symbol, true);
    members.text("prototype", object.prototype, true);
    members.flag("from_debug_info", object.from_debug_info);
    for (const auto &[key, names] : name_lists)
        members.texts(key, max_symbols, object.*names);
    members.finish();
    return object;
}

json::Ordered write_object(const ObjectFunction &object) {
    json::Ordered out = {
        {"symbol", object.symbol}, {"prototype", object.prototype}, {"from_debug_info", object.from_debug_info}};
    for (const auto &[key, names] : name_lists)
        out[key] = object.*names;
    return out;
}

}  // namespace

Status validate(const Outcome &outcome) {
    if (outcome.decisions.size() > max_decisions)
        return fail(ErrorCode::does_not_fit, "outcome: {} decisions, at most {} fit", outcome.decisions.size(),
                    max_decisions);
    std::set<uint32_t> seen;
    for (const DecisionOutcome &decision : outcome.decisions) {
        if (decision.decision == 0)
            return fail(ErrorCode::does_not_fit, "outcome: decisions are numbered from 1, not 0");
        if (!seen.insert(decision.decision).second)
            return fail(ErrorCode::does_not_fit, "outcome: decision {} is named twice", decision.decision);
    }
    return Done{};
}

std::string write_outcome(const Outcome &outcome) {
    json::Ordered document = json::document(format, Outcome::version);
    document["instructions_before"] = outcome.instructions_before;
    document["instructions_after"] = outcome.instructions_after;
    document["counted_functions"] = outcome.counted_functions;
    document["miscounted_functions"] = outcome.miscounted_functions;
    document["executed_instructions"] = outcome.executed_instructions;
    json::Ordered &decisions = document["decisions"] = json::Ordered::array();
    for (const DecisionOutcome &decision : outcome.decisions)
        decisions.push_back(write_decision(decision));
    if (outcome.object)
        document["object"] = write_object(*outcome.object);
    return json::print(document);
}

Result<Outcome> read_outcome(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, Outcome::version);
    if (!document)
        return document.error();
    Outcome outcome;
    json::Problem problem;
    json::Members members(*document, "", problem);
    members.number("instructions_before", outcome.instructions_before);
    members.number("instructions_after", outcome.instructions_after);
    members.number("counted_functions", outcome.counted_functions);
    members.number("miscounted_functions", outcome.miscounted_functions);
    members.number("executed_instructions", outcome.executed_instructions);
    members.list("decisions", max_decisions, [&](const json::Value &value, const std::string &where) {
        outcome.decisions.push_back(read_decision(value, where, problem));
    });
    if (const json::Value *object = members.find("object"))
        outcome.object = read_object(*object, problem);
    members.finish();
    if (problem.any())
        return json::does_not_fit(format, problem);
    if (Status valid = validate(outcome); !valid)
        return valid.error();
    return outcome;
}

}  // namespace thalweg::model
