// cli: two programs compared once.
#include "cli/comparing.h"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "base/temporary.h"
#include "verify/judge.h"

namespace thalweg::cli {

namespace {

// Long enough for any run that is worth measuring ten times over; a program that hangs is found the same day.
constexpr double default_timeout_s = 600;

verify::Shown shown_by(const measure::ObservedRun &run, const ComparisonOptions &options) {
    verify::Shown shown;
    shown.original = run.side != measure::Side::candidate;
    shown.round = run.round;
    shown.ending = run.ending;
    if (!options.without_stdout)
        shown.outputs.emplace_back("stdout", run.stdout_path);
    if (options.with_stderr)
        shown.outputs.emplace_back("stderr", run.stderr_path);
    for (const std::string &file : options.pair.files)
        shown.outputs.emplace_back(file, file);
    return shown;
}

// What stands beside the shell's prompt is meant, not what PATH finds.
std::string as_path(const std::string &program) {
    std::error_code ignored;
    const bool here = program.find('/') == std::string::npos && std::filesystem::exists(program, ignored);
    return here ? "./" + program : program;
}

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
    app.add_option("--runs", options.pair.rounds, "rounds of original, original again, candidate")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app.add_option("--timeout", options.pair.timeout_s, "seconds after which a run is killed; 0: never")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--metric", options.metric, "the time by which faster and slower are judged")
        ->check(CLI::IsMember({"wall", "cpu"}))
        ->capture_default_str();
}

Status take_arguments(ComparisonOptions &options, const Words &arguments) {
    options.pair.arguments = arguments;
    if (options.pair.driver && arguments.empty())
        return fail(ErrorCode::usage, "--driver needs a command behind --");
    return Done{};
}

Status read_input(ComparisonOptions &options, KeptInput &input) {
    if (input.is_stream()) {
        const auto scratch = TemporaryFolder::make("compare");
        const auto reader = scratch ? input.start() : Result<int>(scratch.error());
        if (!reader)
            return reader.error();
        measure::PairOptions once = options.pair;
        once.original = as_path(once.original);
        once.directory = scratch->path();
        once.stdin_path = fmt::format("/proc/self/fd/{}", *reader);
        const Status ran = measure::run_original(once);
        if (const Status kept = input.stop(); !ran || !kept)
            return ran ? kept : ran;
    }
    options.pair.stdin_path = input.path();
    return Done{};
}

Result<model::Comparison> compare_programs(ComparisonOptions options) {
    const auto scratch = TemporaryFolder::make("compare");
    if (!scratch)
        return scratch.error();
    options.pair.directory = scratch->path();
    options.pair.original = as_path(options.pair.original);
    options.pair.candidate = as_path(options.pair.candidate);
    verify::Judge judge(options.pair.original, options.pair.candidate, scratch->path());
    Status seen = Done{};
    const auto measured = measure::measure_pairs(options.pair, [&](const measure::ObservedRun &run) {
        seen = judge.see(shown_by(run, options));
        return seen && judge.agreement() != model::Agreement::differ;
    });
    if (!seen)
        return seen.error();
    if (!measured)
        return measured.error();
    return judge.verdict(*measured, options.metric);
}

}  // namespace thalweg::cli
