// cli: `thalweg plan`, from a profile to decisions and refusals.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/trust.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/libraries.h"
#include "driver/optimizing.h"
#include "driver/plan_costs.h"
#include "graph/event.h"
#include "link/opened_program.h"
#include "model/limits.h"
#include "model/plan.h"
#include "model/profile.h"
#include "plan/declared.h"
#include "plan/libraries.h"
#include "plan/pooled.h"
#include "plan/program.h"
#include "report/text.h"
#include "settle/kept.h"

namespace thalweg::cli {

using namespace driver;

namespace {

// What a person reads: as many rows on the terminal, and refusals in the plan's file.
constexpr size_t most_rows = 20;

struct PlanOptions {
    std::string profile;
    std::string output;
    std::string costs;
    std::string program;  // empty: the recorded one, where it is to be had
    std::string objects;
    std::vector<std::string> independent;
    uint64_t eta = 0;  // 0: not named
    double min_share = plan::default_min_share;
    double max_growth_percent = -1;  // negative: not named
    bool fail_if_none = false;
    bool all = false;
    bool json = false;
};

void declare_plan(CLI::App &app, PlanOptions &options) {
    app.add_option("profile", options.profile, "what `thalweg record` wrote")->required();
    app.add_option("-o,--output", options.output, "where the plan goes (else to stdout)");
    app.add_option(
        "--program", options.program,
        "on which the plan is tried, so that what its code does not allow is refused (else the recorded one, "
        "where it still stands there as it was)");
    declare_objects(app, options.objects);
    app.add_option("--eta", options.eta, "leave out what ran less often than this, and edges below it")
        ->check(CLI::Range(uint64_t{1}, model::max_count));
    app.add_option("--min-share", options.min_share,
                   "the part of an event's dispatches that must run the same handlers, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--max-growth", options.max_growth_percent,
                   fmt::format("how much the program's code may grow, in percent (else the larger of {} % and {} "
                               "instructions)",
                               plan::default_max_growth_percent, plan::always_allowed_growth))
        ->check(CLI::Range(0.0, 10000.0));
    app.add_option(
        "--costs", options.costs,
        fmt::format("a file of `thalweg machine`, or {} (else what is stored of this machine)", built_in_costs));
    app.add_option(
           "--independent", options.independent,
           "PROGRAM:VERSION:PROCEDURE,...: calls of these remote procedures may be made in any order, also when the "
           "one before has failed, and none's arguments are in the results of another; may be given several times")
        ->take_all();
    app.add_flag("--fail-if-none", options.fail_if_none, "exit 3 when nothing is worth doing");
    app.add_flag("--all", options.all, "show and write every decision, not only the heaviest");
    app.add_flag("--json", options.json, "the plan as JSON on stdout");
    app.footer("The plan is a text that may be edited: turn a verdict round, or take a decision out.");
}

// Of the program, or of one of its shared libraries.
model::Plan plan_of_part(const PlanOptions &options, const model::Profile &recorded, const PlanCosts &costs,
                         const std::vector<model::IndependentCalls> &independent) {
    const model::Profile profile = plan::pooled(recorded);
    const uint64_t eta = options.eta != 0 ? options.eta : graph::default_eta(profile);
    plan::Bounds bounds{.eta = std::max<uint64_t>(options.eta, 1), .min_share = options.min_share};
    if (options.max_growth_percent >= 0)
        bounds.max_growth_percent = options.max_growth_percent;
    return plan::plan_program(profile, graph::build(profile, eta), costs.table, bounds, independent);
}

Result<model::Plan> make_plan(const PlanOptions &options, const model::Profile &recorded) {
    const Result<PlanCosts> costs = plan_costs(options.costs);
    if (!costs)
        return costs.error();
    std::vector<model::IndependentCalls> independent;
    for (const std::string &text : options.independent) {
        Result<model::IndependentCalls> declared = plan::declared_independent(text);
        if (!declared)
            return declared.error();
        independent.push_back(std::move(*declared));
    }
    model::Plan plan = plan_of_part(options, recorded, *costs, independent);
    for (const model::Profile &library : recorded.libraries)
        plan::append_library(library.library, plan_of_part(options, library, *costs, independent), plan);
    plan.costs = costs->words;
    return plan;
}

// The program or library that a part of the plan is tried on; an error says why on none. A profile may be a stranger's: the program that it names is looked at only
// where nobody else can have put it there.
Result<link::OpenedProgram> program_to_try(const std::string &path, bool is_named, const std::string &objects,
                                           const std::string &build_id) {
    if (!is_named)
        if (const Status trusted = check_trusted_file(path); !trusted)
            return trusted.error();
    auto opened = link::open_program(path, objects);
    if (opened && !build_id.empty() && opened->program.build_id != build_id)
        return fail(ErrorCode::does_not_fit, "{} has been built again since it was recorded (build id {}, was {})",
                    path, opened->program.build_id, build_id);
    return opened;
}

bool applies_anything(const model::Plan &plan) {
    return std::any_of(plan.decisions.begin(), plan.decisions.end(),
                       [](const model::Decision &decision) { return decision.verdict == model::Verdict::apply; });
}

// What `optimize` can't do is refused here, with the same words.
Status keep_what_fits(const PlanOptions &options, const model::Profile &recorded, model::Plan &plan) {
    model::Plan part = plan::part_for(plan, recorded.library);
    if (!applies_anything(part))
        return Done{};
    const bool is_program = recorded.library.empty();
    const bool is_named = is_program && !options.program.empty();
    std::error_code ignored;
    const std::string path = is_named ? options.program : std::filesystem::absolute(recorded.program, ignored).string();
    auto program = program_to_try(path, is_named, is_program ? options.objects : "", recorded.build_id);
    const Status tried = program ? try_plan(std::move(*program), part, recorded.counts) : Status(program.error());
    if (tried)
        plan::put_back(part, plan);
    if (tried || is_named || tried.error().code == ErrorCode::interrupted)
        return tried;
    note(
        fmt::format("WARNING: the plan was not tried on {}: {}. It may ask for what can't be made, or saves too little "
                    "when it is made: `optimize` without --plan tries its own plan first",
                    is_program ? "the program" : recorded.library, tried.error().message));
    return Done{};
}

// Without --output the plan itself is the data on stdout; with it, what is to be said of it.
Status put_out(const model::Plan &plan, const PlanOptions &options) {
    const std::string text = model::write_plan(options.all ? plan : settle::without_light_refusals(plan, most_rows));
    if (!options.output.empty())
        if (Status written = write_file(options.output, text); !written)
            return written;
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = options.all ? SIZE_MAX : most_rows};
    if (options.json || options.output.empty())
        print_data(options.json ? report::json_plan(plan) : text);
    else
        std::fputs(report::text_plan(plan, style).c_str(), stdout);
    return Done{};
}

}  // namespace

int run_plan(const Words &words) {
    PlanOptions options;
    CLI::App app("Decides from a profile which dispatches become straight lines, and says why the others do not.",
                 "thalweg plan");
    declare_plan(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<model::Profile> recorded = model::read_profile(options.profile);
    if (!recorded)
        return report_error("plan", recorded.error());
    Result<model::Plan> plan = make_plan(options, *recorded);
    if (!plan)
        return report_error("plan", plan.error());
    Status fits = keep_what_fits(options, *recorded, *plan);
    for (size_t i = 0; fits && i < recorded->libraries.size(); ++i)
        fits = keep_what_fits(options, recorded->libraries[i], *plan);
    if (!fits)
        return report_error("plan", fits.error());
    if (const Status status = put_out(*plan, options); !status)
        return report_error("plan", status.error());
    tell_unrecorded_libraries(options.program.empty() ? plan->program : options.program, *recorded);
    if (!applies_anything(*plan)) {
        note(recorded->counts.empty() ? "nothing in this profile is worth doing; each decision says why"
                                      : "no decision of this profile is worth making, and each says why; `thalweg "
                                        "optimize` has its counts of blocks for LLVM's passes");
        if (options.fail_if_none)
            return static_cast<int>(ErrorCode::nothing_to_do);
    }
    const std::string where = options.output.empty() ? "PLAN" : shell_word(options.output);
    next_command(fmt::format("thalweg explain {}    or    thalweg optimize {} --profile {} --plan {} -o {}.opt", where,
                             shell_word(plan->program), shell_word(options.profile), where, shell_word(plan->program)));
    return 0;
}

}  // namespace thalweg::cli
