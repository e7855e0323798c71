// cli: `thalweg stat`, what kind of work a program does.
#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/plan_costs.h"
#include "measure/workload.h"
#include "plan/buffering.h"
#include "plan/caching.h"
#include "plan/workload.h"
#include "report/workload.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct StatOptions {
    std::string output;
    bool calls = false;
    bool all = false;
    bool json = false;
};

void declare_stat(CLI::App &app, StatOptions &options) {
    app.add_option("-o,--output", options.output, "also write what was measured to this file, as JSON");
    app.add_flag("--calls", options.calls,
                 "count its system calls and time them, thread by thread, and say which results it should keep; makes "
                 "it slower, so that its class may "
                 "not be told");
    app.add_flag("--all", options.all, "every row of the tables, not only the first 20");
    app.add_flag("--json", options.json,
                 "after the program's own output, what was measured as JSON on stdout, and no text");
    app.footer("thalweg stat -- tar cf home.tar Documents\n"
               "The text goes to stderr: stdout is the program's.\n"
               "Exit: the program's own code (128 + signal when a signal ended it).");
}

}  // namespace

int run_stat(const Words &words) {
    CLI::App app("run a program, and say whether it is I/O-bound, kernel-bound or CPU-bound, and what to do next",
                 "thalweg stat");
    StatOptions options;
    declare_stat(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    if (dashes == words.end() || dashes + 1 == words.end())
        return report_error("stat", fail(ErrorCode::usage, "what is to be run? thalweg stat -- program ..."));
    measure::WorkloadRequest request;
    request.command.assign(dashes + 1, words.end());
    request.calls = options.calls;
    auto workload = measure::run_workload(request);
    if (!workload)
        return report_error("stat", workload.error());
    plan::judge(*workload);
    const plan::CallCosts costs = call_costs();
    plan::judge_caching(*workload, costs);
    plan::judge_buffering(*workload, costs);
    if (options.json)
        std::fputs(model::write_workload(*workload).c_str(), stdout);
    else
        std::fputs(
            report::text_workload(*workload, {.colour = colour_on_stderr(), .most_rows = options.all ? SIZE_MAX : 20})
                .c_str(),
            stderr);
    if (!options.output.empty())
        if (const Status written = write_file(options.output, model::write_workload(*workload)); !written)
            return report_error("stat", written.error());
    return static_cast<int>(workload->exit_code);
}

}  // namespace thalweg::cli
