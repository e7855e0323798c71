// cli: the options of verbs that compare programs.
#include "cli/comparison_options.h"

#include <CLI/CLI.hpp>

namespace thalweg::cli {

using driver::ComparisonOptions;

namespace {

// Long enough for any run that is worth measuring ten times over; a program that hangs is found the same day.
constexpr double default_timeout_s = 600;

}  // namespace

void declare_comparison(CLI::App &app, ComparisonOptions &options) {
    options.pair.timeout_s = default_timeout_s;
    app.add_flag("--driver", options.pair.driver,
                 "what follows -- is a command that runs the program: THALWEG_PROGRAM names it, {} stands for it");
    app.add_option("--file", options.pair.files,
                   "a file that the program writes: compared after each run, put back as it was before each run");
    app.add_option("--stdin", options.pair.stdin_path,
                   "a file for the programs' standard input (else ours; what comes from a pipe is kept for all runs)");
    app.add_flag("--stderr", options.with_stderr, "compare standard error too");
    app.add_flag("--no-stdout", options.without_stdout, "leave standard output out (it shows the time of day, say)");
    app.add_option("--runs", options.pair.rounds,
                   fmt::format("rounds of original, original again, candidate (else {}, and up to {} within {:.0f} s "
                               "where these leave open which is faster)",
                               measure::default_rounds, measure::most_rounds, measure::patience_s))
        ->check(CLI::Range(1, 100000));
    app.add_option("--timeout", options.pair.timeout_s, "seconds after which a run is killed; 0: never")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--instructions", options.instructions,
                 "count the instructions of both, too, in one more run of each under valgrind (some 20 times slower)");
    app.add_option(
           "--metric", options.metric,
           "the time by which faster and slower are judged: wall or cpu (else the processor's, but where one of the "
           "two waits for more than half of its run the clock's)")
        ->check(CLI::IsMember({model::metric_wall, model::metric_cpu}));
}

Status take_arguments(ComparisonOptions &options, const std::vector<std::string> &arguments) {
    options.pair.arguments = arguments;
    if (options.pair.driver && arguments.empty())
        return fail(ErrorCode::usage, "--driver needs a command behind --");
    return Done{};
}

}  // namespace thalweg::cli
