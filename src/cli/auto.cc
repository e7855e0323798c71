// cli: `thalweg auto`, record, optimize, compare and report in one go.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "cli/comparing.h"
#include "cli/kept_input.h"
#include "cli/recording.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace thalweg::cli {

namespace {

struct AutoOptions {
    std::string program;
    std::string profile;
    std::string output;
    std::string standard_input;
    std::vector<std::string> files;
    int runs = 0;  // 0: compare's own default
    bool driver = false;
    bool json = false;
};

void declare_auto(CLI::App &app, AutoOptions &options) {
    app.add_option("program", options.program, "the program that thalweg-cc linked; it stays as it is")->required();
    app.add_option("-o,--output", options.output, "the optimised program (else PROGRAM.opt)");
    app.add_option("--profile", options.profile,
                   "where the profile goes (else PROGRAM.profile); PROGRAM.plan, .outcome, .comparison and .html, the\n"
                   "report for a browser, are written as well");
    app.add_option("--stdin", options.standard_input,
                   "a file for the program's standard input (else ours; what comes from a pipe is kept for\n"
                   "all runs, a terminal is read by none)");
    app.add_option("--file", options.files, "a file that the program writes, to be compared too");
    app.add_option("--runs", options.runs, "rounds of the comparison")->check(CLI::Range(1, 100000));
    app.add_flag("--driver", options.driver,
                 "what follows -- is a command that runs the program, even if it does not look "
                 "like one");
    app.add_flag("--json", options.json, "JSON from each step, one after the other");
    app.footer(
        "thalweg auto ./server -- --port 8080     the program's own arguments\n"
        "thalweg auto ./server -- ./load.sh       a command that runs the program: the first word holds a slash and\n"
        "                                         is an executable file. It must start $THALWEG_PROGRAM (or {}),\n"
        "                                         which is the twin, the original, or the optimised program.");
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

// Exit code of the step; 0 to go on.
int record_step(const AutoOptions &options, const Words &arguments, KeptInput &input) {
    if (const Status status = redirect_stdin(input); !status)
        return report_error("auto", status.error());
    const auto recording = record_program({options.program, arguments, options.driver, false});
    if (!recording)
        return report_error("auto", recording.error());
    if (const Status kept = input.is_stream() ? input.stop() : Status(Done{}); !kept)
        return report_error("auto", kept.error());
    if (const Status written = model::write_profile(recording->profile, options.profile); !written)
        return report_error("auto", written.error());
    if (recording->exit_code != 0)
        note(fmt::format("the recorded run ended with {}", recording->exit_code));
    return tell_recording(*recording) ? 0 : static_cast<int>(ErrorCode::does_not_fit);
}

Words compare_words(const AutoOptions &options, const Words &arguments, const std::string &comparison,
                    const std::string &input) {
    Words words{options.program, options.output, "-o", comparison};
    if (options.driver)
        words.emplace_back("--driver");
    if (options.json)
        words.emplace_back("--json");
    if (options.runs != 0)
        words.insert(words.end(), {"--runs", std::to_string(options.runs)});
    words.insert(words.end(), {"--stdin", input});
    for (const std::string &file : options.files)
        words.insert(words.end(), {"--file", file});
    words.emplace_back("--");
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

Words with_json(Words words, bool json) {
    if (json)
        words.emplace_back("--json");
    return words;
}

}  // namespace

int run_auto(const Words &words) {
    CLI::App app("record, report, optimize and compare in one go", "thalweg auto");
    AutoOptions options;
    declare_auto(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    Words arguments;
    if (dashes != words.end())
        arguments.assign(dashes + 1, words.end());
    options.driver = options.driver || looks_like_driver(arguments);
    if (options.output.empty())
        options.output = options.program + ".opt";
    if (options.profile.empty())
        options.profile = options.program + ".profile";
    note("1 of 5: record");
    auto input = KeptInput::of(options.standard_input);
    if (!input)
        return report_error("auto", input.error());
    if (const int code = record_step(options, arguments, *input); code != 0)
        return code;
    note("2 of 5: plan and report");
    const std::string plan = options.program + ".plan";
    const std::string outcome = options.program + ".outcome";
    if (const int code = run_plan(with_json({options.profile, "-o", plan}, options.json)); code != 0)
        return code;
    if (const int code = run_report(with_json({options.profile, "--plan", plan}, options.json)); code != 0)
        return code;
    note("3 of 5: optimize");
    const Words optimize{options.program, "--plan", plan, "--outcome", outcome, "-o", options.output};
    if (const int code = run_optimize(with_json(optimize, options.json)); code != 0)
        return code;
    note("4 of 5: compare");
    const std::string comparison = options.program + ".comparison";
    const int verdict = run_compare(compare_words(options, arguments, comparison, input->path()));
    if (verdict != 0 && verdict != exit_outputs_differ)
        return verdict;
    note("5 of 5: report");
    const int reported = run_report({options.profile, "--plan", plan, "--outcome", outcome, "--comparison", comparison,
                                     "--html", options.program + ".html"});
    return verdict != 0 ? verdict : reported;
}

}  // namespace thalweg::cli
