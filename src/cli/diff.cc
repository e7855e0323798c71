// cli: `thalweg diff`, what changed from one profile to another.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "cli/verb.h"
#include "cli/verbs.h"
#include "graph/profile_diff.h"
#include "model/profile.h"
#include "report/text.h"

namespace thalweg::cli {

int run_diff(const Words &words) {
    std::string before, after;
    bool all = false, json = false;
    CLI::App app(
        "Shows what differs between two profiles, as parts of each one's total; they may be of different builds.",
        "thalweg diff");
    app.add_option("before", before, "a profile")->required();
    app.add_option("after", after, "another one")->required();
    app.add_flag("--all", all, "show every row, not only the largest changes");
    app.add_flag("--json", json, "as JSON on stdout");
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<model::Profile> old_profile = model::read_profile(before);
    if (!old_profile)
        return report_error("diff", old_profile.error());
    const Result<model::Profile> new_profile = model::read_profile(after);
    if (!new_profile)
        return report_error("diff", new_profile.error());
    const model::ProfileDiff diff = graph::diff(*old_profile, *new_profile);
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = all ? SIZE_MAX : 20};
    std::fputs((json ? report::json_diff(diff) : report::text_diff(diff, style)).c_str(), stdout);
    next_command(fmt::format("thalweg plan {} -o PLAN", shell_word(after)));
    return 0;
}

}  // namespace thalweg::cli
