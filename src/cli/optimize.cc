// cli: `thalweg optimize`, the program linked again with its straight lines.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/utf8.h"
#include "base/words.h"
#include "cli/optimized.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/optimizing.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct OptimizeOptions {
    OptimizeRequest request;
    std::string only;
    std::vector<std::string> independent;
    bool fail_if_none = false;
    bool all = false;
    bool json = false;
};

void declare_optimize(CLI::App &app, OptimizeOptions &options) {
    app.add_option("program", options.request.program,
                   "the program that thalweg-cc linked, or its bundle; it stays as it is")
        ->required();
    app.add_option("--profile", options.request.profile_path, "what `thalweg record` wrote");
    app.add_option("--plan", options.request.plan_path,
                   "what `thalweg plan` wrote; without one it is made from the profile");
    app.add_option("--outcome", options.request.outcome_path,
                   "where to keep what became of each decision, for `thalweg report` and `thalweg explain`");
    app.add_option("--only-decisions", options.only, "apply these alone: 1,2,5-9");
    declare_consent(app, options.request, options.independent);
    declare_objects(app, options.request.objects);
    app.add_flag("--explain", options.request.remarks,
                 "each decision as a compiler's remark with its line as well, on stderr");
    app.add_option("-o,--output", options.request.output, "the optimised program (else PROGRAM.opt)");
    app.add_flag("--thinlto", options.request.by_units,
                 "for what is too large for one link: each file by itself, then by ThinLTO, with the counts of "
                 "`record --thinlto`; no decision is made");
    app.add_flag("--fail-if-none", options.fail_if_none, "exit 3 when the plan has nothing to apply");
    app.add_flag("--all", options.all, "each refused decision too, not only the first ones");
    app.add_flag("--json", options.json, "what became of each decision, as JSON");
    app.footer("A program linked with -Rpass=thalweg or -Rpass-missed=thalweg gets those remarks without --explain.\n"
               "A plan is believed nothing that isn't tested, but for what --trusted and --independent say here.\n"
               "Exit: 4 when there were decisions to apply, none could be, and no counts were there to use either.");
}

Status complete(OptimizeOptions &options) {
    OptimizeRequest &request = options.request;
    if (request.profile_path.empty() && request.plan_path.empty())
        return fail(ErrorCode::usage, "from what? name a profile (--profile) or a plan (--plan)");
    if (request.output.empty())
        request.output = request.program + ".opt";
    if (const Status read = read_consent(options.independent, request); !read)
        return read;
    if (options.only.empty())
        return Done{};
    auto numbers = parse_decisions(options.only);
    if (!numbers)
        return numbers.error();
    request.only_decisions = std::move(*numbers);
    return Done{};
}

const char *made_with(const model::Outcome &outcome) {
    return outcome.float_environment.empty() ? "link-time optimisation and the profile" : "the profile";
}

std::string nothing_asked(const Optimized &optimized, const OptimizeRequest &request) {
    const char *why = optimized.plan.decisions.empty() ? "the plan has no decisions" : "the plan has nothing to apply";
    return optimized.outcome.counted_functions == 0
               ? std::string(why)
               : fmt::format("{}; {} has {}", why, request.output, made_with(optimized.outcome));
}

int verdict(const Optimized &optimized, const OptimizeOptions &options) {
    const OptimizeRequest &request = options.request;
    if (optimized.other_build)
        note(fmt::format(
            "WARNING: the profile is of another build of {} than this one; what no longer fits was left as it is",
            request.program));
    // Each is linked by itself.
    for (const Library &library : optimized.others)
        note(fmt::format("{} was recorded too: thalweg optimize {} --profile {} -o FOLDER/{}", library.name,
                         shell_word(library.path), shell_word(request.profile_path), shell_word(library.name)));
    if (optimized.asked() == 0) {
        note(nothing_asked(optimized, request));
        return options.fail_if_none ? static_cast<int>(ErrorCode::nothing_to_do) : 0;
    }
    if (optimized.applied() == 0 && optimized.outcome.counted_functions == 0) {
        remove_output(request.output);
        note(fmt::format(
            "NOTHING WAS APPLIED of {} decisions: {} would be no faster than the original, and was not made",
            optimized.asked(), request.output));
        next_command(fmt::format("thalweg doctor {}", shell_word(request.program)));
        return static_cast<int>(ErrorCode::does_not_fit);
    }
    if (optimized.applied() == 0)
        note(fmt::format("none of the {} could be made that the plan asks for; {} has {}",
                         plural(optimized.asked(), "decision"), request.output, made_with(optimized.outcome)));
    if (optimized.of_bundle)
        next_command(shell_word(request.output));
    else
        next_command(
            fmt::format("thalweg compare {} {} -- ...", shell_word(request.program), shell_word(request.output)));
    return 0;
}

}  // namespace

int run_optimize(const Words &words) {
    CLI::App app("link a program again, with straight lines where a profile shows that they fit", "thalweg optimize");
    OptimizeOptions options;
    declare_optimize(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    if (const Status status = complete(options); !status)
        return report_error("optimize", status.error());
    for (const std::string &path : {options.request.output, options.request.outcome_path})
        if (const Status status = check_folder(path); !status)
            return report_error("optimize", status.error());
    const auto optimized = optimize_program(options.request);
    if (!optimized)
        return report_error("optimize", optimized.error());
    if (options.json)
        print_optimized_json(*optimized, options.request);
    else
        print_optimized(*optimized, options.all);
    std::fputs(without_controls(optimized->diagnostics).c_str(), stderr);
    return verdict(*optimized, options);
}

}  // namespace thalweg::cli
