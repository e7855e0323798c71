// model: what became of each decision in the optimised program, as JSON (docs/formats/outcome.md).
#include <set>

#include "model/json_fields.h"
#include "model/limits.h"
#include "model/plan.h"

namespace thalweg::model {

constexpr std::string_view format = "thalweg-outcome";

namespace fields {

template <>
struct Of<LineTimes> {
    static constexpr std::tuple rows{
        value("line", &LineTimes::line).needed(),       value("evaluated", &LineTimes::evaluated),
        value("residual", &LineTimes::residual),        value("tested", &LineTimes::tested).sparse(),
        value("trusted", &LineTimes::trusted).sparse(), values("reasons", &LineTimes::reasons, max_reasons).sparse()};
};

template <>
struct Of<FunctionTimes> {
    static constexpr std::tuple rows{name("function", &FunctionTimes::function), value("file", &FunctionTimes::file),
                                     value("directory", &FunctionTimes::directory),
                                     value("first_line", &FunctionTimes::first_line),
                                     objects("lines", &FunctionTimes::lines, max_outcome_lines)};
};

template <>
struct Of<DecisionOutcome> {
    static constexpr std::tuple rows{value("decision", &DecisionOutcome::decision).needed(),
                                     value("applied", &DecisionOutcome::applied),
                                     value("reason", &DecisionOutcome::reason),
                                     value("growth_instructions", &DecisionOutcome::growth_instructions),
                                     value("saved_instructions", &DecisionOutcome::saved_instructions).sparse(),
                                     objects("functions", &DecisionOutcome::functions, max_symbols).sparse()};
};

template <>
struct Of<ObjectFunction> {
    static constexpr std::tuple rows{name("symbol", &ObjectFunction::symbol),
                                     name("prototype", &ObjectFunction::prototype),
                                     value("from_debug_info", &ObjectFunction::from_debug_info),
                                     values("tags", &ObjectFunction::tags, max_symbols),
                                     values("by_value", &ObjectFunction::by_value, max_symbols),
                                     values("copies", &ObjectFunction::copies, max_symbols),
                                     values("externals", &ObjectFunction::externals, max_symbols)};
};

template <>
struct Of<Outcome> {
    static constexpr std::tuple rows{value("instructions_before", &Outcome::instructions_before),
                                     value("instructions_after", &Outcome::instructions_after),
                                     value("counted_functions", &Outcome::counted_functions),
                                     value("miscounted_functions", &Outcome::miscounted_functions),
                                     value("executed_instructions", &Outcome::executed_instructions),
                                     objects("decisions", &Outcome::decisions, max_decisions),
                                     value("float_environment", &Outcome::float_environment).sparse(),
                                     object("object", &Outcome::object)};
};

}  // namespace fields

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

std::string write_outcome(const Outcome &outcome) { return json::write_document(format, Outcome::version, outcome); }

Result<Outcome> read_outcome(const std::string &text) {
    return json::read_document<Outcome>(text, format, Outcome::version);
}

}  // namespace thalweg::model
