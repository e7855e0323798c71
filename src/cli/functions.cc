// cli: `thalweg functions`, in which functions a program spends its time.
#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/plan_costs.h"
#include "graph/functions.h"
#include "measure/functions.h"
#include "model/functions.h"
#include "model/profile.h"
#include "plan/layer.h"
#include "report/functions.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct FunctionsOptions {
    std::string stored;
    std::string profile;
    std::string with;
    std::string output;
    bool all = false;
    bool json = false;
};

void declare_functions(CLI::App &app, FunctionsOptions &options) {
    app.add_option("stored", options.stored, "what -o wrote before, in place of a program to run");
    app.add_option("--profile", options.profile,
                   "what `thalweg record` wrote of the program: tells which functions are handlers, layers, waits");
    app.add_option("--with", options.with, "perf (samples) or callgrind (instructions; slow); else perf where it works")
        ->check(CLI::IsMember({"perf", "callgrind"}));
    app.add_option("-o,--output", options.output, "also write it to this file, as JSON, for `thalweg export`");
    app.add_flag("--all", options.all, "every function, not only the first 20");
    app.add_flag("--json", options.json, "as JSON on stdout (after the program's own output), and no text");
    app.footer("thalweg functions -o day.functions -- ./server --port 8080\n"
               "The text of a run goes to stderr: stdout is the program's. Exit: the program's own code.");
}

Result<model::FunctionProfile> stored_run(const std::string &path) {
    const auto text = read_file(path);
    if (!text)
        return text.error();
    auto run = model::read_functions(*text);
    if (!run)
        return fail(run.error().code, "{}: {}", path, run.error().message);
    return run;
}

// The functions that the plan for this profile makes layers' roots of.
Result<std::vector<std::string>> layers_of(const model::Profile &profile) {
    const Result<PlanCosts> costs = plan_costs("");
    if (!costs)
        return costs.error();
    model::Plan plan;
    plan::plan_layers(profile, costs->table, {}, plan);
    std::vector<std::string> names;
    for (const model::Decision &decision : plan.decisions)
        if (decision.verdict == model::Verdict::apply)
            names.push_back(decision.site.function);
    return names;
}

Status join(model::FunctionProfile &run, const std::string &path) {
    const auto profile = model::read_profile(path);
    if (!profile)
        return profile.error();
    const auto layers = layers_of(*profile);
    if (!layers)
        return layers.error();
    graph::join(run, *profile, *layers);
    return Done{};
}

Status put_out(const model::FunctionProfile &run, const FunctionsOptions &options) {
    const bool ran = options.stored.empty();
    if (options.json)
        std::fputs(model::write_functions(run).c_str(), stdout);
    else
        std::fputs(report::text_functions(run, graph::call_graph_of(run),
                                          {.colour = ran ? colour_on_stderr() : colour_on_stdout(),
                                           .most_rows = options.all ? SIZE_MAX : 20})
                       .c_str(),
                   ran ? stderr : stdout);
    return options.output.empty() ? Status(Done{}) : write_file(options.output, model::write_functions(run));
}

Result<model::FunctionProfile> wanted(const FunctionsOptions &options, const Words &command) {
    if (!options.stored.empty())
        return stored_run(options.stored);
    using enum measure::ProfilingTool;
    return measure::run_functions({command, options.with == "perf"        ? perf
                                            : options.with == "callgrind" ? callgrind
                                                                          : whichever_works});
}

}  // namespace

int run_functions(const Words &words) {
    CLI::App app("Runs a program and tells in which functions it spends its time, and who calls them.",
                 "thalweg functions");
    FunctionsOptions options;
    declare_functions(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    const Words command(dashes == words.end() ? dashes : dashes + 1, words.end());
    if (command.empty() == options.stored.empty())
        return report_error("functions",
                            fail(ErrorCode::usage, "what is to be run? thalweg functions -- program ...; or a "
                                                   "file that `thalweg functions -o` wrote"));
    auto run = wanted(options, command);
    if (!run)
        return report_error("functions", run.error());
    if (!options.profile.empty())
        if (const Status joined = join(*run, options.profile); !joined)
            return report_error("functions", joined.error());
    if (const Status shown = put_out(*run, options); !shown)
        return report_error("functions", shown.error());
    const std::string file = options.output.empty() ? options.stored : options.output;
    if (!file.empty() && !options.json)
        next_command(
            fmt::format("thalweg export {} --format folded    or callgrind, pprof, trace, dot, csv", shell_word(file)));
    return options.stored.empty() ? static_cast<int>(run->exit_code) : 0;
}

}  // namespace thalweg::cli
