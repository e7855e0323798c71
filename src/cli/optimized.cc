// cli: the options of verbs that optimise, and what became of each decision.
#include "cli/optimized.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "plan/declared.h"
#include "report/names.h"

namespace thalweg::cli {

using driver::Optimized;
using driver::OptimizeRequest;

namespace {

// As many refusals as fit a screen beside what is applied, in the plan's order. `--all` shows each.
constexpr size_t shown_refusals = 10;

// More than any plan has; a range beyond it is a slip of the finger.
constexpr uint32_t largest_decision = 1u << 20;

// Bitcode that the plug-in never saw must not look like success.
model::DecisionOutcome told(const model::Outcome &outcome, uint32_t decision) {
    const auto entry = std::ranges::find(outcome.decisions, decision, &model::DecisionOutcome::decision);
    return entry != outcome.decisions.end() ? *entry
                                            : model::DecisionOutcome{decision, false, "the plug-in did not report it"};
}

const char *state_of(const model::Decision &decision, const model::DecisionOutcome &outcome, bool asked) {
    if (decision.verdict == model::Verdict::refuse)
        return "refused";
    if (!asked)
        return "left out";
    return outcome.applied ? "applied" : "not applied";
}

std::string place_of(const model::Decision &decision) {
    const model::Site &site = decision.site;
    if (is_of_library_function(decision.kind()))
        return report::place_words(decision);
    if (site.place.file.empty())
        return fmt::format("{}#{}", site.function, site.ordinal);
    return fmt::format("{}:{}", site.place.file, site.place.line);
}

std::string why(const model::Decision &decision, const model::DecisionOutcome &outcome, bool asked) {
    if (decision.verdict == model::Verdict::refuse)
        return decision.reason;
    if (!asked)
        return "not among --only-decisions";
    if (outcome.applied)
        return outcome.reason.empty() ? decision.reason : outcome.reason;
    return outcome.reason;
}

void print_line(const model::Decision &decision, const model::DecisionOutcome &outcome, bool asked) {
    const char *state = state_of(decision, outcome, asked);
    const bool colours = colour_on_stdout();
    const char *colour = std::string_view(state) == "applied"       ? "\033[32m"
                         : std::string_view(state) == "not applied" ? "\033[31m"
                                                                    : "\033[33m";
    const std::string line =
        fmt::format("{:>4}  {}{:<11}{}  {:<7} {} at {}: {}\n", decision.id, colours ? colour : "", state,
                    colours ? "\033[0m" : "", model::kind_word(decision.kind()), report::shown(decision.event),
                    report::shown(place_of(decision)), report::shown(why(decision, outcome, asked)));
    std::fputs(line.c_str(), stdout);
}

nlohmann::json to_json(const model::Decision &decision, const model::DecisionOutcome &outcome, bool asked) {
    return {{"decision", decision.id},
            {"state", state_of(decision, outcome, asked)},
            {"kind", model::kind_word(decision.kind())},
            {"event", decision.event},
            {"place", place_of(decision)},
            {"reason", why(decision, outcome, asked)},
            {"guard", decision.guard},
            {"growth_instructions", outcome.growth_instructions}};
}

std::string growth_percent(const model::Outcome &outcome) {
    if (outcome.instructions_before == 0)
        return "";
    const auto before = static_cast<double>(outcome.instructions_before);
    return fmt::format(" ({:+.2f} %)", (static_cast<double>(outcome.instructions_after) - before) * 100 / before);
}

void print_decisions(const Optimized &optimized, bool all) {
    size_t refused = 0;
    for (const model::Decision &decision : optimized.plan.decisions)
        if (decision.verdict == model::Verdict::apply || ++refused <= shown_refusals || all)
            print_line(decision, told(optimized.outcome, decision.id), optimized.asks_for(decision));
    if (refused > shown_refusals && !all)
        std::fputs(fmt::format("      and {} more refused: --all shows them\n", refused - shown_refusals).c_str(),
                   stdout);
}

// Those that the plan only counts among them.
size_t refusals(const Optimized &optimized) {
    size_t count = std::ranges::count(optimized.plan.decisions, model::Verdict::refuse, &model::Decision::verdict);
    for (const model::CountedRefusals &one : optimized.plan.left_out)
        count += one.count;
    return count;
}

// Which of LLVM's passes made the code.
std::string passes_words(const Optimized &optimized) {
    const model::Outcome &outcome = optimized.outcome;
    if (optimized.by_units && outcome.float_environment.empty())
        return "link-time optimisation by ThinLTO";
    return outcome.float_environment.empty()
               ? std::string("link-time optimisation")
               : fmt::format("each file by its own passes (link-time optimisation would compute what {} may change)",
                             outcome.float_environment);
}

// What LLVM's passes were told of the run.
std::string profile_words(const model::Outcome &outcome) {
    if (outcome.counted_functions + outcome.miscounted_functions == 0)
        return "no profile (none was named, or it has no counts of blocks)";
    const std::string fitting = fmt::format("profile of {} functions", outcome.counted_functions);
    return outcome.miscounted_functions == 0 ? fitting
                                             : fmt::format("{} ({} more have changed since they were counted)", fitting,
                                                           outcome.miscounted_functions);
}

}  // namespace

Result<std::vector<DecisionRange>> parse_decisions(const std::string &text) {
    std::vector<DecisionRange> ranges;
    const char *at = text.data();
    const char *end = at + text.size();
    while (at != end) {
        uint32_t first = 0;
        auto [next, problem] = std::from_chars(at, end, first);
        uint32_t last = first;
        if (problem == std::errc() && next != end && *next == '-')
            std::tie(next, problem) = [&] {
                const auto parsed = std::from_chars(next + 1, end, last);
                return std::pair(parsed.ptr, parsed.ec);
            }();
        const bool comma = next != end && *next == ',';
        if (problem != std::errc() || (next != end && !comma) || first == 0 || last < first || last > largest_decision)
            return fail(ErrorCode::usage, "'{}' is no list of decisions; one is 1,2,5-9", text);
        ranges.push_back({first, last});
        at = comma ? next + 1 : next;
    }
    return ranges;
}

void declare_consent(CLI::App &app, OptimizeRequest &request, std::vector<std::string> &independent) {
    app.add_flag("--trusted", request.consent.trusted,
                 "facts that the plan calls trusted are not tested: your word instead of a guard");
    app.add_option("--independent", independent,
                   "PROGRAM:VERSION:PROCEDURE,...: your word that calls of these remote procedures may be made in any "
                   "order, also when the one before has failed, and none's arguments are in the results of another; "
                   "may be given several times")
        ->take_all();
}

Status read_consent(const std::vector<std::string> &independent, OptimizeRequest &request) {
    for (const std::string &text : independent) {
        Result<model::IndependentCalls> declared = plan::declared_independent(text);
        if (!declared)
            return declared.error();
        request.consent.independent.push_back(std::move(*declared));
    }
    return Done{};
}

void print_optimized(const Optimized &optimized, bool all) {
    print_decisions(optimized, all);
    if (optimized.outcome.object) {
        std::fputs(fmt::format("{}: {} IR instructions\n", optimized.outcome.object->symbol,
                               optimized.outcome.instructions_after)
                       .c_str(),
                   stdout);
        return;
    }
    const size_t refused = refusals(optimized);
    const std::string line = fmt::format(
        "{}; {}; {} of {} decisions applied{}; {} IR instructions before, {} after{}\n", passes_words(optimized),
        profile_words(optimized.outcome), optimized.applied(), optimized.asked(),
        refused == 0 ? std::string() : fmt::format(", {} refused", refused), optimized.outcome.instructions_before,
        optimized.outcome.instructions_after, growth_percent(optimized.outcome));
    std::fputs(line.c_str(), stdout);
}

void print_optimized_json(const Optimized &optimized, const OptimizeRequest &request) {
    nlohmann::json decisions = nlohmann::json::array();
    for (const model::Decision &decision : optimized.plan.decisions)
        decisions.push_back(to_json(decision, told(optimized.outcome, decision.id), optimized.asks_for(decision)));
    nlohmann::json line = {{"program", request.program},
                           {"output", request.output},
                           {"profile_of_other_build", optimized.other_build},
                           {"applied", optimized.applied()},
                           {"asked", optimized.asked()},
                           {"instructions_before", optimized.outcome.instructions_before},
                           {"instructions_after", optimized.outcome.instructions_after},
                           {"counted_functions", optimized.outcome.counted_functions},
                           {"miscounted_functions", optimized.outcome.miscounted_functions},
                           {"decisions", decisions}};
    if (optimized.outcome.object)
        line["object"] = {{"symbol", optimized.outcome.object->symbol},
                          {"prototype", optimized.outcome.object->prototype},
                          {"from_debug_info", optimized.outcome.object->from_debug_info},
                          {"externals", optimized.outcome.object->externals},
                          {"copies", optimized.outcome.object->copies}};
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

}  // namespace thalweg::cli
