// cli: `thalweg compare`, two programs on the same input: do they show the same, and which is faster?
#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/interruption.h"
#include "base/utf8.h"
#include "cli/comparison_options.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/comparing.h"
#include "measure/statistics.h"
#include "report/summary.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct CompareOptions {
    ComparisonOptions comparison;
    std::string libraries;
    std::vector<std::string> named_libraries;
    std::string output;
    bool fail_if_slower = false;
    bool json = false;
};

void declare_compare(CLI::App &app, CompareOptions &options) {
    measure::PairOptions &pair = options.comparison.pair;
    app.add_option("original", pair.original, "the program that shows what is right")->required();
    app.add_option("candidate", pair.candidate, "the program that is held against it")->required();
    declare_comparison(app, options.comparison);
    app.add_option("--libraries", options.libraries,
                   "a folder with shared libraries that the candidate loads in place of the original's of the same "
                   "names (`thalweg auto` makes PROGRAM.opt.libs)");
    declare_libraries(app, options.named_libraries);
    app.add_option("-o,--output", options.output, "write the comparison into this file as well, for `thalweg report`");
    app.add_flag("--fail-if-slower", options.fail_if_slower, "exit 6 when the candidate is slower beyond noise");
    app.add_flag("--json", options.json, "the comparison as JSON on stdout");
    app.footer(
        "The words behind -- are the programs' arguments:  thalweg compare ./a ./b --runs 20 -- --port 8080\n"
        "or, with --driver, a command:                     thalweg compare ./a ./b --driver -- ./load.sh {}\n"
        "Exit: 0 equal, 5 outputs differ (or the original does not show the same twice), 6 slower beyond noise.");
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
        std::fputs(without_controls(text).c_str(), stdout);
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
        if (measurement.candidate_instructions != 0)
            std::fputs(fmt::format("instructions ratio {} (counted by cachegrind, in user mode)\n",
                                   report::instruction_words(measurement))
                           .c_str(),
                       stdout);
        const std::string confidence =
            fmt::format("           each interval holds the median with {:.1f} % confidence ({} rounds)\n",
                        measurement.wall_ratio.confidence * 100, measurement.wall_ratio.n);
        std::fputs(confidence.c_str(), stdout);
    }
    std::fputs(fmt::format("verdict    {}\n", comparison.summary).c_str(), stdout);
}

}  // namespace

int run_compare(const Words &words) {
    CLI::App app("run two programs in turn on the same input and compare what they show and how long they take",
                 "thalweg compare");
    CompareOptions options;
    declare_compare(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    const auto behind = dashes == words.end() ? dashes : dashes + 1;
    if (const Status taken = take_arguments(options.comparison, {behind, words.end()}); !taken)
        return report_error("compare", taken.error());
    if (const Status status = check_folder(options.output); !status)
        return report_error("compare", status.error());
    auto input = KeptInput::of(options.comparison.pair.stdin_path);
    if (!input)
        return report_error("compare", input.error());
    if (const Status read = read_input(options.comparison, *input); !read)
        return report_error("compare", read.error());
    if (!options.libraries.empty()) {
        auto files = library_files_in(options.libraries, options.comparison.pair.original, options.named_libraries);
        if (!files)
            return report_error("compare", files.error());
        options.comparison.candidate_libraries = std::move(*files);
    }
    const Result<model::Comparison> comparison = compare_programs(options.comparison);
    if (!comparison)
        return report_error("compare", comparison.error());
    if (options.json)
        std::fputs(model::write_comparison(*comparison).c_str(), stdout);
    else
        print(*comparison);
    if (interrupted())
        note(fmt::format("interrupted: this is what {} rounds tell", comparison->measurement.original_runs.size()));
    if (!options.output.empty()) {
        if (const Status written = write_file(options.output, model::write_comparison(*comparison)); !written)
            return report_error("compare", written.error());
        next_command(fmt::format("thalweg report PROFILE --plan PLAN --comparison {} --html report.html",
                                 shell_word(options.output)));
    }
    if (comparison->agreement != model::Agreement::equal)
        return exit_outputs_differ;
    return options.fail_if_slower && comparison->speed == model::Speed::slower ? exit_slower : 0;
}

}  // namespace thalweg::cli
