// cli: `thalweg auto`, record, plan, optimize, measure and report in one go.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/comparison_options.h"
#include "cli/optimized.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/comparing.h"
#include "driver/kept_input.h"
#include "driver/paying.h"
#include "driver/recording.h"
#include "report/summary.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct AutoOptions {
    PayingRequest paying;
    std::vector<std::string> independent;
    std::vector<std::string> libraries;
    std::string profile;
    std::string comparison;
    std::string html;
    bool all = false;
    bool json = false;
};

void declare_paths(CLI::App &app, AutoOptions &options) {
    OptimizeRequest &optimize = options.paying.optimize;
    app.add_option("program", optimize.program, "the program that thalweg-cc linked; it stays as it is")->required();
    app.add_option("-o,--output", optimize.output, "the optimised program (else PROGRAM.opt)");
    app.add_option("--profile", options.profile, "where the profile goes (else PROGRAM.profile)");
    app.add_option("--plan", optimize.plan_path,
                   "where the plan goes, with what was taken out of it and why (else PROGRAM.plan)");
    app.add_option("--outcome", optimize.outcome_path,
                   "where it goes what became of each decision (else PROGRAM.outcome)");
    app.add_option("--comparison", options.comparison, "where the comparison goes (else PROGRAM.comparison)");
    app.add_option("--html", options.html, "where the report for a browser goes (else PROGRAM.html)");
}

void declare_auto(CLI::App &app, AutoOptions &options) {
    declare_paths(app, options);
    declare_consent(app, options.paying.optimize, options.independent);
    declare_objects(app, options.paying.optimize.objects);
    declare_libraries(app, options.libraries);
    declare_comparison(app, options.paying.comparison);
    app.add_flag("--keep-all", options.paying.keeps_all,
                 "keep what does not pay, too (else each kind of decision is measured by itself)");
    app.add_flag("--all", options.all, "the tables of profile, plan and outcome as well");
    app.add_flag("--json", options.json, "what came of it as one JSON document on stdout");
    app.footer(
        "thalweg auto ./server -- --port 8080     the program's own arguments\n"
        "thalweg auto ./server -- ./load.sh       a command that runs the program: the first word holds a slash and\n"
        "                                         is an executable file. It must start $THALWEG_PROGRAM (or {}),\n"
        "                                         which is the twin, the original, or the optimised program.\n"
        "Where PROGRAM's folder can't be written to, what stands beside it goes into the current one.\n"
        "Exit: 0 done, 4 nothing was recorded or nothing could be applied, 5 outputs differ.");
}

// Where nothing was named: beside the program, or here where nobody may write there.
void name_files(AutoOptions &options) {
    OptimizeRequest &optimize = options.paying.optimize;
    namespace fs = std::filesystem;
    const fs::path program = optimize.program;
    const fs::path folder = program.has_parent_path() ? program.parent_path() : fs::path(".");
    const std::string stem = ::access(folder.c_str(), W_OK) == 0 ? optimize.program : program.filename().string();
    const std::pair<std::string *, const char *> files[] = {
        {&optimize.output, ".opt"},           {&options.profile, ".profile"},       {&optimize.plan_path, ".plan"},
        {&optimize.outcome_path, ".outcome"}, {&options.comparison, ".comparison"}, {&options.html, ".html"}};
    for (const auto &[path, ending] : files)
        if (path->empty())
            *path = stem + ending;
}

std::vector<std::string> files_of(const AutoOptions &options) {
    const OptimizeRequest &optimize = options.paying.optimize;
    return {optimize.output,       options.profile,    optimize.plan_path,
            optimize.outcome_path, options.comparison, options.html};
}

// The rule that the help tells.
bool looks_like_driver(const Words &words) {
    return !words.empty() && words[0].find('/') != std::string::npos && ::access(words[0].c_str(), X_OK) == 0;
}

// The recorded run inherits our standard input.
Status redirect_stdin(KeptInput &input) {
    Result<int> reader = input.is_stream() ? input.start() : ::open(input.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (!reader)
        return reader.error();
    if (*reader < 0 || ::dup2(*reader, STDIN_FILENO) < 0)
        return fail(ErrorCode::usage, "cannot read {}: {}", input.path(), std::strerror(errno));
    if (!input.is_stream())
        ::close(*reader);
    return Done{};
}

// What the program shows while it is recorded goes where progress goes: stdout holds what came of it, and nothing else.
class ShownElsewhere {
  public:
    ShownElsewhere() {
        std::fflush(stdout);
        kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        if (kept_ >= 0)
            ::dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    ShownElsewhere(const ShownElsewhere &) = delete;
    ~ShownElsewhere() {
        if (kept_ < 0)
            return;
        ::dup2(kept_, STDOUT_FILENO);
        ::close(kept_);
    }

  private:
    int kept_ = -1;
};

Result<Recording> record_step(const AutoOptions &options, KeptInput &input) {
    if (const Status status = redirect_stdin(input); !status)
        return status.error();
    const measure::PairOptions &pair = options.paying.comparison.pair;
    const ShownElsewhere elsewhere;
    auto recording = record_program({options.paying.optimize.program, options.paying.optimize.objects, pair.arguments,
                                     pair.driver, false, options.libraries});
    if (!recording)
        return recording.error();
    if (const Status kept = input.is_stream() ? input.stop() : Status(Done{}); !kept)
        return kept.error();
    if (const Status written = model::write_profile(recording->profile, options.profile); !written)
        return written.error();
    tell_end(*recording);
    return recording;
}

void print_summary(const AutoOptions &options, const model::Profile &profile, const Paying &paying) {
    const OptimizeRequest &optimize = options.paying.optimize;
    report::SummaryData data{.profile = &profile,
                             .plan = &paying.optimized.plan,
                             .outcome = &paying.optimized.outcome,
                             .comparison = &paying.comparison,
                             .parts = paying.parts,
                             .explain = fmt::format("thalweg explain {}", shell_word(optimize.plan_path)),
                             .files = {{"program", optimize.output}, {"report", options.html}}};
    if (!paying.libraries.empty())
        data.files.emplace_back("libraries", libraries_folder(optimize.output));
    if (options.json)
        data.files.insert(data.files.end(), {{"profile", options.profile},
                                             {"plan", optimize.plan_path},
                                             {"outcome", optimize.outcome_path},
                                             {"comparison", options.comparison}});
    const report::TextStyle style{.colour = colour_on_stdout()};
    std::fputs((options.json ? report::json_summary(data) : report::text_summary(data, style)).c_str(), stdout);
}

// What would be no faster than the original is not left lying about.
int tell_nothing_applied(const OptimizeRequest &request) {
    remove_output(request.output);
    note(fmt::format("NOTHING WAS APPLIED: the code allows none of the decisions in {}; {} was not made",
                     request.plan_path, request.output));
    next_command(fmt::format("thalweg explain {}", shell_word(request.plan_path)));
    return static_cast<int>(ErrorCode::does_not_fit);
}

// What stands there already is kept: it took long enough.
int tell_interrupted(const AutoOptions &options, const Error &error) {
    const OptimizeRequest &optimize = options.paying.optimize;
    const int code = report_error("auto", error);
    note(
        fmt::format("kept: the profile in {}; the plan in {} and what it made in {} are not compared with the original",
                    options.profile, optimize.plan_path, optimize.output));
    next_command(fmt::format("thalweg plan {}", shell_word(options.profile)));
    return code;
}

int optimize_and_tell(AutoOptions &options, const model::Profile &profile) {
    const auto paying = keep_what_pays(options.paying);
    if (!paying && paying.error().code == ErrorCode::interrupted)
        return tell_interrupted(options, paying.error());
    if (!paying)
        return report_error("auto", paying.error());
    if (!paying->fits)
        return tell_nothing_applied(options.paying.optimize);
    const std::string comparison = model::write_comparison(paying->comparison);
    if (const Status written = write_file(options.comparison, comparison); !written)
        return report_error("auto", written.error());
    note("3 of 3: report");
    const OptimizeRequest &optimize = options.paying.optimize;
    Words report{options.profile, "--plan", optimize.plan_path, "--outcome", optimize.outcome_path};
    if (options.all && !options.json)
        run_report(report);
    report.insert(report.end(), {"--comparison", options.comparison, "--html", options.html});
    if (const int code = run_report(report); code != 0)
        return code;
    print_summary(options, profile, *paying);
    return paying->comparison.agreement == model::Agreement::equal ? 0 : exit_outputs_differ;
}

}  // namespace

int run_auto(const Words &words) {
    CLI::App app("record, plan, optimize, measure and report in one go", "thalweg auto");
    AutoOptions options;
    declare_auto(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    ComparisonOptions &comparison = options.paying.comparison;
    const Words arguments(dashes == words.end() ? dashes : dashes + 1, words.end());
    comparison.pair.driver = comparison.pair.driver || looks_like_driver(arguments);
    if (const Status taken = take_arguments(comparison, arguments); !taken)
        return report_error("auto", taken.error());
    if (const Status read = read_consent(options.independent, options.paying.optimize); !read)
        return report_error("auto", read.error());
    name_files(options);
    for (const std::string &path : files_of(options))
        if (const Status status = check_folder(path); !status)
            return report_error("auto", status.error());
    comparison.pair.original = options.paying.optimize.program;
    auto input = KeptInput::of(comparison.pair.stdin_path);
    if (!input)
        return report_error("auto", input.error());
    note("1 of 3: record");
    const auto recording = record_step(options, *input);
    if (!recording)
        return report_error("auto", recording.error());
    if (!tell_recording(*recording))
        return static_cast<int>(ErrorCode::does_not_fit);
    if (recording->interrupted) {
        note(fmt::format("interrupted: the profile of the run until then is in {}", options.profile));
        next_command(fmt::format("thalweg plan {}", shell_word(options.profile)));
        return static_cast<int>(ErrorCode::interrupted);
    }
    comparison.pair.stdin_path = input->path();
    note("2 of 3: plan, optimize and measure");
    options.paying.optimize.profile_path = options.profile;
    return optimize_and_tell(options, recording->profile);
}

}  // namespace thalweg::cli
