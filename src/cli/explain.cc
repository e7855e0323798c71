// cli: `thalweg explain`, why a decision was taken, where, under which guard, and what happens when it fails.
#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/sources.h"
#include "model/plan.h"
#include "report/text.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct ExplainOptions {
    std::string plan;
    std::string outcome;
    uint32_t decision = 0;  // 0: all
    bool json = false;
};

void declare_explain(CLI::App &app, ExplainOptions &options) {
    app.add_option("plan", options.plan, "what `thalweg plan` wrote")->required();
    app.add_option("decision", options.decision, "the number of a decision; else the plan as a table");
    app.add_option("--outcome", options.outcome, "what `thalweg optimize` wrote of the decisions");
    app.add_flag("--json", options.json, "as JSON on stdout");
}

int fail_with(const Error &error) { return report_error("explain", error); }

int explain_one(const model::Plan &plan, const model::Outcome &outcome, const ExplainOptions &options) {
    const auto decision = std::find_if(plan.decisions.begin(), plan.decisions.end(),
                                       [&](const model::Decision &d) { return d.id == options.decision; });
    if (decision == plan.decisions.end())
        return fail_with(fail(ErrorCode::usage, "{} has no decision {}; `thalweg explain {}` lists its {}",
                              options.plan, options.decision, shell_word(options.plan), plan.decisions.size()));
    const auto became = std::find_if(outcome.decisions.begin(), outcome.decisions.end(),
                                     [&](const model::DecisionOutcome &o) { return o.decision == options.decision; });
    const model::DecisionOutcome *known = became == outcome.decisions.end() ? nullptr : &*became;
    if (options.json) {
        print_data(report::json_decision(*decision, known));
        return 0;
    }
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = SIZE_MAX};
    std::string text = report::text_decision(*decision, known, style);
    if (known != nullptr)
        text += report::text_layers(*known, read_sources(outcome, options.outcome, plan.program), style);
    std::fputs(text.c_str(), stdout);
    return 0;
}

int explain_all(const model::Plan &plan, const ExplainOptions &options) {
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = SIZE_MAX};
    std::fputs((options.json ? report::json_plan(plan) : report::text_plan(plan, style)).c_str(), stdout);
    if (!plan.decisions.empty())
        next_command(fmt::format("thalweg explain {} {}", shell_word(options.plan), plan.decisions.front().id));
    return 0;
}

}  // namespace

int run_explain(const Words &words) {
    ExplainOptions options;
    CLI::App app("Says of a plan's decisions why, where, under which guard, and what happens when it fails.",
                 "thalweg explain");
    declare_explain(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<std::string> text = read_file(options.plan);
    if (!text)
        return fail_with(text.error());
    const Result<model::Plan> plan = model::read_plan(*text);
    if (!plan)
        return fail_with(fail(plan.error().code, "{}: {}", options.plan, plan.error().message));
    if (options.decision == 0)
        return explain_all(*plan, options);
    model::Outcome outcome;
    if (!options.outcome.empty()) {
        const Result<std::string> bytes = read_file(options.outcome);
        if (!bytes)
            return fail_with(bytes.error());
        const Result<model::Outcome> read = model::read_outcome(*bytes);
        if (!read)
            return fail_with(fail(read.error().code, "{}: {}", options.outcome, read.error().message));
        outcome = *read;
    }
    return explain_one(*plan, outcome, options);
}

}  // namespace thalweg::cli
