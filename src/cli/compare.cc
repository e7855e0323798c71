// cli: `thalweg compare`, two programs on the same input: do they show the same, and which is faster?
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "cli/verb.h"
#include "cli/verbs.h"
#include "measure/pairs.h"
#include "measure/statistics.h"
#include "verify/judge.h"

namespace thalweg::cli {

namespace {

constexpr int exit_outputs_differ = 5;
constexpr int exit_slower = 6;

// Long enough for any run that is worth measuring ten times over; a program that hangs is found the same day.
constexpr double default_timeout_s = 600;

struct Options {
    measure::PairOptions pair;
    std::string metric = "wall";
    bool with_stderr = false;
    bool without_stdout = false;
    bool fail_if_slower = false;
    bool json = false;
};

// A directory of our own that goes away with us.
class ScratchDirectory {
  public:
    ScratchDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "thalweg-compare-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr)
            path_ = name;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory &) = delete;
    ScratchDirectory &operator=(const ScratchDirectory &) = delete;
    const std::string &path() const { return path_; }

  private:
    std::string path_;
};

void declare(CLI::App &app, Options &options) {
    app.add_option("original", options.pair.original, "the program that shows what is right")->required();
    app.add_option("candidate", options.pair.candidate, "the program that is held against it")->required();
    app.add_flag("--driver", options.pair.driver,
                 "what follows -- is a command that runs the program: THALWEG_PROGRAM names it, {} stands for it");
    app.add_option("--file", options.pair.files,
                   "a file that the program writes: compared after each run, put back as it was before each run");
    app.add_option("--stdin", options.pair.stdin_path, "a file for the program's standard input (else /dev/null)");
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
    app.add_flag("--fail-if-slower", options.fail_if_slower, "exit 6 when the candidate is slower beyond noise");
    app.add_flag("--json", options.json, "the comparison as JSON on stdout");
    app.footer(
        "The words behind -- are the programs' arguments:  thalweg compare ./a ./b --runs 20 -- --port 8080\n"
        "or, with --driver, a command:                     thalweg compare ./a ./b --driver -- ./load.sh {}\n"
        "Exit: 0 equal, 5 outputs differ (or the original does not show the same twice), 6 slower beyond noise.");
}

verify::Shown shown_by(const measure::ObservedRun &run, const Options &options) {
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

Result<model::Comparison> compare(const Options &options) {
    verify::Judge judge(options.pair.original, options.pair.candidate, options.pair.directory);
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

std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

void print_outputs(const model::Comparison &comparison) {
    const auto [word, colour] = [&]() -> std::pair<const char *, const char *> {
        switch (comparison.agreement) {
        case model::Agreement::equal:
            return {"equal", "\033[32m"};
        case model::Agreement::differ:
            return {"DIFFER", "\033[31m"};
        case model::Agreement::unstable:
            return {"unstable: the original differs from itself", "\033[33m"};
        }
        return {"", ""};
    }();
    const bool colours = colour_on_stdout();
    const std::string head =
        fmt::format("outputs    {}{}{} ({}; the original ended with {})\n", colours ? colour : "", word,
                    colours ? "\033[0m" : "", joined(comparison.compared), comparison.ending);
    std::fputs(head.c_str(), stdout);
    for (const model::Difference &difference : comparison.differences) {
        const std::string place =
            difference.line == 0 ? "" : fmt::format(" at byte {}, line {}", difference.offset, difference.line);
        const std::string text =
            fmt::format("  {} of {} in round {}{}:\n    expected   {}\n    found      {}\n", difference.what,
                        difference.program, difference.round, place, difference.expected, difference.found);
        std::fputs(text.c_str(), stdout);
    }
}

void print_ratio(const char *name, const model::Estimate &ratio, const model::Estimate &noise) {
    const std::string line =
        fmt::format("{:<10} ratio {:.3f} ({:.3f} to {:.3f}); noise, the original against itself: {:.3f} to {:.3f}\n",
                    name, ratio.median, ratio.low, ratio.high, noise.low, noise.high);
    std::fputs(line.c_str(), stdout);
}

void print_runs(const char *name, const std::vector<model::RunTimes> &runs) {
    std::vector<double> wall, cpu;
    uint64_t rss_kib = 0;
    for (const model::RunTimes &run : runs) {
        wall.push_back(run.wall_s);
        cpu.push_back(run.user_s + run.system_s);
        rss_kib = std::max(rss_kib, run.max_rss_kib);
    }
    const std::string line =
        fmt::format("{:<10} {:.4f} s wall, {:.4f} s processor (medians of {}), {} KiB at most\n", name,
                    measure::estimate_median(wall).median, measure::estimate_median(cpu).median, runs.size(), rss_kib);
    std::fputs(line.c_str(), stdout);
}

void print(const model::Comparison &comparison) {
    print_outputs(comparison);
    const model::Measurement &measurement = comparison.measurement;
    if (!measurement.original_runs.empty()) {
        print_runs("original", measurement.original_runs);
        print_runs("candidate", measurement.candidate_runs);
        print_ratio("wall", measurement.wall_ratio, measurement.wall_noise);
        print_ratio("processor", measurement.cpu_ratio, measurement.cpu_noise);
        const std::string confidence =
            fmt::format("           each interval holds the median with {:.1f} % confidence ({} rounds)\n",
                        measurement.wall_ratio.confidence * 100, measurement.wall_ratio.n);
        std::fputs(confidence.c_str(), stdout);
    }
    std::fputs(fmt::format("verdict    {}\n", comparison.summary).c_str(), stdout);
}

// What stands beside the shell's prompt is meant, not what PATH finds.
std::string as_path(const std::string &program) {
    std::error_code ignored;
    const bool here = program.find('/') == std::string::npos && std::filesystem::exists(program, ignored);
    return here ? "./" + program : program;
}

}  // namespace

int run_compare(const Words &words) {
    CLI::App app("run two programs in turn on the same input and compare what they show and how long they take",
                 "thalweg compare");
    Options options;
    options.pair.timeout_s = default_timeout_s;
    declare(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    if (dashes != words.end())
        options.pair.arguments.assign(dashes + 1, words.end());
    if (options.pair.driver && options.pair.arguments.empty())
        return report_error("compare", fail(ErrorCode::usage, "--driver needs a command behind --"));
    options.pair.original = as_path(options.pair.original);
    options.pair.candidate = as_path(options.pair.candidate);
    const ScratchDirectory scratch;
    if (scratch.path().empty())
        return report_error("compare", fail(ErrorCode::environment, "cannot make a directory in {}; set TMPDIR",
                                            std::filesystem::temp_directory_path().string()));
    options.pair.directory = scratch.path();
    const Result<model::Comparison> comparison = compare(options);
    if (!comparison)
        return report_error("compare", comparison.error());
    if (options.json)
        std::fputs(model::write_comparison(*comparison).c_str(), stdout);
    else
        print(*comparison);
    if (comparison->agreement != model::Agreement::equal)
        return exit_outputs_differ;
    return options.fail_if_slower && comparison->speed == model::Speed::slower ? exit_slower : 0;
}

}  // namespace thalweg::cli
