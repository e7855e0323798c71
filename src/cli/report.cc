// cli: `thalweg report`, what a profile shows, with plan and outcome where they are named.
#include <cstdio>
#include <optional>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/sources.h"
#include "graph/event.h"
#include "graph/system_call.h"
#include "model/limits.h"
#include "model/plan.h"
#include "model/profile.h"
#include "model/verdict.h"
#include "plan/libraries.h"
#include "report/html.h"
#include "report/text.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct ReportOptions {
    std::string profile;
    std::string library;
    std::string plan;
    std::string outcome;
    std::string comparison;
    std::string guards;
    std::string html;
    uint64_t eta = 0;  // 0: not named
    bool all = false;
    bool json = false;
};

// All that a report may show. What was not named is not there.
struct Artefacts {
    model::Profile profile;
    std::optional<model::Graphs> graphs;  // none: nothing was recorded
    std::optional<model::Plan> plan;
    std::optional<model::Outcome> outcome;
    std::optional<model::Comparison> comparison;
    report::Sources sources;
};

void declare_report(CLI::App &app, ReportOptions &options) {
    app.add_option("profile", options.profile,
                   "what `thalweg record` wrote; may be left out with --plan: of a plan that was declared");
    app.add_option("--library", options.library, "show what was recorded in this shared library of the program");
    app.add_option("--plan", options.plan, "what `thalweg plan` made of it");
    app.add_option("--outcome", options.outcome, "what `thalweg optimize` made of the plan");
    app.add_option("--comparison", options.comparison, "what `thalweg compare -o` wrote (shown by --html)");
    app.add_option("--guards", options.guards,
                   "a profile of the optimised program (`thalweg record -- PROGRAM.opt`): how often each guard held");
    app.add_option("--html", options.html, "write it all into this one file, for a browser, instead of as text");
    app.add_option("--eta", options.eta, "show edges of at least this weight (else a thousandth of all)")
        ->check(CLI::Range(uint64_t{1}, model::max_count));
    app.add_flag("--all", options.all, "show every row, not only the heaviest");
    app.add_flag("--json", options.json, "as JSON on stdout");
}

// The file at `path`, read by `read`; nothing when no path was named.
template <class Value>
Status read_named(const std::string &path, Result<Value> (*read)(const std::string &), std::optional<Value> &value) {
    if (path.empty())
        return Done{};
    const Result<std::string> bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    const Result<Value> found = read(*bytes);
    if (!found)
        return fail(found.error().code, "{}: {}", path, found.error().message);
    value = *found;
    return Done{};
}

// What a recording of the optimised program counted; its own profile holds nothing else.
Status read_guards(const std::string &path, model::Profile &profile) {
    if (path.empty())
        return Done{};
    Result<model::Profile> counted = model::read_profile(path);
    if (!counted)
        return counted.error();
    if (counted->guards.empty())
        return fail(
            ErrorCode::does_not_fit,
            "{}: no guard was counted in it: it is of {}, and only a recording of a program that `thalweg optimize` "
            "made counts guards",
            path, counted->program);
    profile.guards = std::move(counted->guards);
    return Done{};
}

// Of a profile, the part of the library that was named, or the program's.
Result<model::Profile> part_to_show(const model::Profile &profile, const ReportOptions &options) {
    std::vector<std::string> names;
    for (const model::Profile &library : profile.libraries)
        names.push_back(library.library);
    if (options.library.empty() && !names.empty())
        note(fmt::format("recorded with the program: {} (--library NAME shows one)", fmt::join(names, ", ")));
    const model::Profile *part = model::part_of(profile, options.library);
    if (part == nullptr)
        return fail(ErrorCode::usage, "{} has no library {}; it has {}", options.profile, options.library,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    return *part;
}

// The plan, and the profile that it was made from. What a user declared has none but the program's name.
Status read_profile(const ReportOptions &options, Artefacts &artefacts) {
    if (Status status = read_named(options.plan, model::read_plan, artefacts.plan); !status)
        return status;
    if (options.profile.empty() && !artefacts.plan)
        return fail(ErrorCode::usage, "of what? name a profile, or a plan that was declared (--plan)");
    if (options.profile.empty()) {
        artefacts.profile.program = artefacts.plan->program;
        artefacts.profile.build_id = artefacts.plan->build_id;
        return Done{};
    }
    Result<model::Profile> profile = model::read_profile(options.profile);
    if (!profile)
        return profile.error();
    const Result<model::Profile> part = part_to_show(*profile, options);
    if (!part)
        return part.error();
    artefacts.profile = *part;
    if (artefacts.plan)
        artefacts.plan = plan::part_for(*artefacts.plan, options.library);
    artefacts.graphs =
        graph::build(artefacts.profile, options.eta != 0 ? options.eta : graph::default_eta(artefacts.profile));
    if (options.eta != 0)
        artefacts.graphs->system_calls = graph::system_call_graph_of(artefacts.profile, options.eta);
    return Done{};
}

Result<Artefacts> read_artefacts(const ReportOptions &options) {
    Artefacts artefacts;
    if (Status status = read_profile(options, artefacts); !status)
        return status.error();
    if (Status status = read_guards(options.guards, artefacts.profile); !status)
        return status.error();
    if (Status status = read_named(options.outcome, model::read_outcome, artefacts.outcome); !status)
        return status.error();
    if (artefacts.outcome)
        artefacts.sources = read_sources(*artefacts.outcome, options.outcome, artefacts.profile.program);
    if (Status status = read_named(options.comparison, model::read_comparison, artefacts.comparison); !status)
        return status.error();
    return artefacts;
}

template <class Value>
const Value *or_null(const std::optional<Value> &value) {
    return value ? &*value : nullptr;
}

Status write_html(const Artefacts &artefacts, const std::string &path) {
    const std::string page = report::html_report({.profile = &artefacts.profile,
                                                  .recorded = artefacts.graphs.has_value(),
                                                  .graphs = or_null(artefacts.graphs),
                                                  .plan = or_null(artefacts.plan),
                                                  .outcome = or_null(artefacts.outcome),
                                                  .comparison = or_null(artefacts.comparison),
                                                  .sources = &artefacts.sources});
    if (Status written = write_file(path, page); !written)
        return written;
    note(fmt::format("report: wrote {} ({} kB, needs no network): open it in a browser", path, page.size() / 1000));
    return Done{};
}

void print_text(const Artefacts &artefacts, const ReportOptions &options) {
    const report::TextData data{.profile = artefacts.graphs ? &artefacts.profile : nullptr,
                                .graphs = or_null(artefacts.graphs),
                                .plan = or_null(artefacts.plan),
                                .outcome = or_null(artefacts.outcome),
                                .sources = &artefacts.sources};
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = options.all ? SIZE_MAX : 20};
    std::fputs((options.json ? report::json_report(data) : report::text_report(data, style)).c_str(), stdout);
}

}  // namespace

int run_report(const Words &words) {
    ReportOptions options;
    CLI::App app(
        "Shows what was recorded: events, event graph, chains, handler sequences, system calls, opportunities, guards.",
        "thalweg report");
    declare_report(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<Artefacts> artefacts = read_artefacts(options);
    if (!artefacts)
        return report_error("report", artefacts.error());
    // With --html the file is the data; whoever wants JSON as well says so.
    if (artefacts->plan && !artefacts->plan->build_id.empty() &&
        artefacts->plan->build_id != artefacts->profile.build_id)
        note(fmt::format("WARNING: {} is a plan for another build ({}) than the one that was recorded ({})",
                         options.plan, artefacts->plan->build_id, artefacts->profile.build_id));
    if (options.html.empty() || options.json)
        print_text(*artefacts, options);
    if (!options.html.empty())
        if (Status written = write_html(*artefacts, options.html); !written)
            return report_error("report", written.error());
    if (!artefacts->plan)
        next_command(fmt::format("thalweg plan {} -o PLAN", shell_word(options.profile)));
    else
        next_command(fmt::format("thalweg explain {} 1{}", shell_word(options.plan),
                                 options.outcome.empty() ? "" : " --outcome " + shell_word(options.outcome)));
    return 0;
}

}  // namespace thalweg::cli
