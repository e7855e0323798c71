// cli: `thalweg specialize`, a function and its layers made into code for facts that the user knows.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/optimizing.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "plan/declared.h"

namespace thalweg::cli {

namespace {

struct Options {
    OptimizeRequest request;
    std::string function;
    std::vector<std::string> facts;
    bool trusted = false;
    bool json = false;
};

void declare(CLI::App &app, Options &options) {
    app.add_option("program", options.request.program, "the program that thalweg-cc linked; it stays as it is")
        ->required();
    app.add_option("--function", options.function, "the function that becomes code for the facts; its linker name")
        ->required();
    app.add_option(
        "--fact", options.facts,
        "\"arg0 = 5\", \"arg0->8 = &operations\", \"arg0->0->56:4 = 1 | 2\", \"load F#3 = 7\"; may be repeated");
    app.add_flag("--trusted", options.trusted, "facts with one value are not tested: your word instead of a guard");
    app.add_option("-o,--output", options.request.output, "the specialised program (else PROGRAM.spec)");
    app.add_option("--save-plan", options.request.plan_path, "where the plan is kept (else OUTPUT.plan)");
    app.add_flag("--json", options.json, "what became of the decision, as JSON");
    app.footer(
        "Each fact is tested where the program reads it; where it does not hold, the function goes on as it was\n"
        "written. No fact at all is well: then the program's own constants decide. Exit: 4 when it could not be done.");
}

Result<model::Plan> plan_for(const Options &options) {
    model::Decision decision;
    decision.id = 1;
    decision.kind = model::DecisionKind::specialize;
    decision.site.function = options.function;
    decision.reason = "declared by the user";
    decision.guard =
        options.trusted ? "none for facts with one value: the user's word" : "each fact is tested where it is read";
    for (const std::string &text : options.facts) {
        auto fact = plan::declared_fact(text, options.function);
        if (!fact)
            return fact.error();
        fact->trusted = options.trusted;
        decision.facts.push_back(std::move(*fact));
    }
    model::Plan plan;
    plan.program = options.request.program;
    plan.decisions.push_back(std::move(decision));
    return plan;
}

Result<Optimized> specialize(Options &options) {
    OptimizeRequest &request = options.request;
    if (request.output.empty())
        request.output = request.program + ".spec";
    if (request.plan_path.empty())
        request.plan_path = request.output + ".plan";
    const auto plan = plan_for(options);
    if (!plan)
        return plan.error();
    if (const Status valid = model::validate(*plan); !valid)
        return valid.error();
    if (const Status written = write_file(request.plan_path, model::write_plan(*plan)); !written)
        return written.error();
    return optimize_program(request);
}

}  // namespace

int run_specialize(const Words &words) {
    CLI::App app("make a function and its layers into code for facts", "thalweg specialize");
    Options options;
    declare(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const auto optimized = specialize(options);
    if (!optimized)
        return report_error("specialize", optimized.error());
    print_optimized(*optimized, options.request, options.json);
    std::fputs(optimized->diagnostics.c_str(), stderr);
    if (optimized->applied() == 0) {
        note(fmt::format("NOTHING WAS APPLIED: {} is no faster than the original", options.request.output));
        next_command(fmt::format("thalweg explain {}", shell_word(options.request.plan_path)));
        return static_cast<int>(ErrorCode::does_not_fit);
    }
    next_command(fmt::format("thalweg compare {} {} -- ...", shell_word(options.request.program),
                             shell_word(options.request.output)));
    return 0;
}

}  // namespace thalweg::cli
