// report: a plan, one of its decisions, and what became of it, as text.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/decision_words.h"
#include "report/facts.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Decision;
using model::DecisionKind;
using model::Verdict;

namespace {

const char *word(Verdict verdict) { return verdict == Verdict::apply ? "apply" : "refuse"; }

std::string kind_words(const Decision &decision) {
    if (decision.kind() == DecisionKind::specialize && decision.parent != 0)
        return fmt::format("in {}", decision.parent);
    const auto *inside = std::get_if<model::Subsume>(&decision.work);
    if (inside == nullptr)
        return std::string(model::kind_word(decision.kind()));
    return fmt::format("{} {}", inside->chain ? "chain in" : "subsume in", decision.parent);
}

// The event, or the function that the decision is about.
std::string what_of(const Decision &decision) {
    return is_of_function(decision.kind()) ? short_name(decision.site.function) : decision.event;
}

std::string verdict_words(const Decision &decision) {
    if (decision.verdict == Verdict::apply)
        return "apply";
    return decision.refusal.empty() ? "refuse" : decision.refusal;
}

std::string target_words(const model::PlannedTarget &target) {
    std::string text = short_name(target.function);
    if (target.context.empty())
        return text;
    text += fmt::format(" on {}", short_name(target.context));
    return target.context_offset == 0 ? text : fmt::format("{} + {}", text, target.context_offset);
}

std::string totals(const model::Plan &plan) {
    size_t applied = 0;
    uint64_t left_out = 0;
    uint64_t growth = 0;
    double gain_ms = 0;
    std::map<std::string, size_t> refused;
    for (const Decision &decision : plan.decisions) {
        if (decision.verdict == Verdict::refuse) {
            ++refused[decision.refusal.empty() ? "by hand" : decision.refusal];
            continue;
        }
        ++applied;
        if (decision.kind() != DecisionKind::specialize || decision.parent == 0)
            growth += decision.growth_instructions;
        gain_ms += decision.predicted_gain_total_ms;
    }
    for (const model::CountedRefusals &one : plan.left_out) {
        refused[one.refusal] += one.count;
        left_out += one.count;
    }
    std::string text = fmt::format("  {} to apply, {} refused", applied, plan.decisions.size() - applied + left_out);
    for (auto it = refused.begin(); it != refused.end(); ++it)
        text += fmt::format("{}{} {}", it == refused.begin() ? " (" : ", ", it->second, harmless(it->first));
    text += refused.empty() ? "\n" : ")\n";
    if (left_out != 0)
        text += fmt::format(
            "  of the refused, {} are of no weight and only counted in the plan (`thalweg plan --all` writes them)\n",
            grouped(left_out));
    text += fmt::format("  costs: {}\n", plan.costs.empty() ? "built-in; `thalweg machine` measures this machine's"
                                                            : harmless(plan.costs));
    return text +
           fmt::format("  predicted: {:.3f} ms less in a run like the recorded one, about {} instructions more\n",
                       gain_ms, grouped(growth));
}

std::string facts_of(const Decision &decision) {
    if (decision.facts().empty())
        return "  facts    none: what the program's own constants decide is decided\n";
    std::string text;
    for (const model::Fact &fact : decision.facts())
        text += fmt::format("  {}    {}{}\n", text.empty() ? "facts" : "     ", harmless(fact_words(fact)),
                            is_trusted(fact) ? "  TRUSTED: not tested" : "");
    return text;
}

// Believed, and only in part seen when it runs: what a reader of the plan should look at.
std::string independent_of(const Decision &decision) {
    std::string text;
    const auto *overlap = std::get_if<model::Overlap>(&decision.work);
    for (const model::IndependentCalls &one : overlap->independent)
        text += fmt::format("  {}  program {:#x}, version {}, procedures {}: independent by the user's word\n",
                            text.empty() ? "declared" : "        ", one.program, one.version,
                            fmt::join(one.procedures, ", "));
    return text;
}

std::string plural_of(const Decision &decision, const char *one, const char *more) {
    return fmt::format("{} {}", counted(decision.weight, decision.weight_error),
                       decision.weight == 1 && decision.weight_error == 0 ? one : more);
}

std::string weight_of(const Decision &decision) {
    if (decision.kind() == DecisionKind::specialize)
        return plural_of(decision, "entry", "entries");
    if (decision.kind() == DecisionKind::cache)
        return fmt::format("{}, {} of them with the inputs of the one before", plural_of(decision, "entry", "entries"),
                           percent(decision.share));
    if (is_of_library_function(decision.kind()))
        return fmt::format("{}, {} of them served by the thread's own lists", plural_of(decision, "call", "calls"),
                           percent(decision.share));
    if (is_of_calls(decision.kind()))
        return fmt::format("{}, {} of those that are made at this place", plural_of(decision, "call", "calls"),
                           percent(decision.share));
    return fmt::format(
        "{}, {} of the event's at this place{}", plural_of(decision, "dispatch", "dispatches"), percent(decision.share),
        decision.alternative == 0 ? std::string() : fmt::format("; alternative {}", decision.alternative + 1));
}

// Of what the user declared, nobody has counted how often it runs.
std::string gain_of(const Decision &decision) {
    const bool of_function = is_of_function(decision.kind());
    if (of_function && decision.weight == 0)
        return {};
    return fmt::format(
        "  weight   {}\n  gain     {:.1f} ns {}, {:.3f} ms in a run like the recorded one; about {} instructions\n",
        weight_of(decision), decision.predicted_gain_ns,
        of_function                    ? "an entry"
        : is_of_calls(decision.kind()) ? "a call"
                                       : "a dispatch",
        decision.predicted_gain_total_ms, grouped(decision.growth_instructions));
}

}  // namespace

std::string text_plan(const model::Plan &plan, const TextStyle &style) {
    TextTable table({">id", "verdict", "kind", ">weight", ">share", ">gain ns", ">gain ms", "event", "why"});
    // Where not all are shown, those that apply are: they stand in front.
    const bool is_cut = plan.decisions.size() > style.most_rows;
    std::vector<const Decision *> shown;
    for (const bool applied : {true, false})
        for (const Decision &decision : plan.decisions)
            if (is_cut ? (decision.verdict == Verdict::apply) == applied : applied)
                shown.push_back(&decision);
    for (const Decision *one : shown) {
        const Decision &decision = *one;
        table.row({std::to_string(decision.id), verdict_words(decision), kind_words(decision),
                   counted(decision.weight, decision.weight_error), percent(decision.share),
                   fmt::format("{:.1f}", decision.predicted_gain_ns),
                   fmt::format("{:.3f}", decision.predicted_gain_total_ms),
                   decision.library.empty() ? what_of(decision)
                                            : fmt::format("{} in {}", what_of(decision), decision.library),
                   decision.reason});
    }
    return totals(plan) + "\n" + table.text(style);
}

std::string text_outcome(const model::Outcome &outcome, const TextStyle &style) {
    TextTable table({">id", "applied", ">instructions", "remark"});
    size_t applied = 0;
    for (const model::DecisionOutcome &decision : outcome.decisions) {
        applied += decision.applied ? 1 : 0;
        table.row({std::to_string(decision.decision), decision.applied ? "yes" : "no",
                   grouped(decision.growth_instructions), decision.reason});
    }
    std::string text =
        fmt::format("  {} of {} decisions applied; {} instructions before, {} after", applied, outcome.decisions.size(),
                    grouped(outcome.instructions_before), grouped(outcome.instructions_after));
    if (outcome.instructions_before > 0)
        text += fmt::format(
            " ({:+.1f} %)",
            (static_cast<double>(outcome.instructions_after) / static_cast<double>(outcome.instructions_before) - 1) *
                100);
    return text + "\n\n" + table.text(style);
}

std::string text_decision(const Decision &decision, const model::DecisionOutcome *outcome, const TextStyle &style) {
    std::string text = marked(fmt::format("Decision {}: {} {} ({})", decision.id, kind_words(decision),
                                          shown(what_of(decision)), word(decision.verdict)),
                              style) +
                       "\n";
    text += fmt::format("  why      {}{}\n", decision.refusal.empty() ? "" : shown(decision.refusal) + ": ",
                        shown(decision.reason));
    if (const std::string remedy = remedy_of(decision); !remedy.empty())
        text += fmt::format("  remedy   {}\n", remedy);
    text += fmt::format("  where    {}{}\n", shown(place_words(decision)),
                        decision.library.empty() ? "" : ", in " + shown(decision.library));
    if (const auto *inside = std::get_if<model::Subsume>(&decision.work))
        text += fmt::format("  inside   handler {} of decision {}\n", inside->position + 1, decision.parent);
    if (decision.kind() == DecisionKind::specialize && decision.parent != 0)
        text += fmt::format("  inside   decision {}: made on its own only where that one can't be\n", decision.parent);
    for (size_t i = 0; i < decision.targets().size(); ++i)
        text += fmt::format("  {}  {}. {}\n", i == 0 ? "handlers" : "        ", i + 1,
                            shown(target_words(decision.targets()[i])));
    for (size_t i = 0; i < decision.group().size(); ++i)
        text += fmt::format("  {}  {}: {}\n", i == 0 ? "together" : "        ", shown(decision.group()[i].callee),
                            shown(place_words(decision.group()[i])));
    if (decision.kind() == DecisionKind::specialize)
        text += facts_of(decision);
    if (decision.kind() == DecisionKind::overlap)
        text += independent_of(decision);
    text += gain_of(decision);
    if (!decision.guard.empty())
        text += fmt::format("  guard    {}\n", shown(decision.guard));
    text += fmt::format("  if not   {}\n", when_it_fails(decision));
    if (outcome != nullptr)
        text +=
            fmt::format("  became   {}: {}\n", outcome->applied ? "applied" : "not applied", shown(outcome->reason));
    return text;
}

std::string text_diff(const model::ProfileDiff &diff, const TextStyle &style) {
    const std::pair<const char *, const std::vector<model::DiffEntry> *> parts[] = {
        {"Events", &diff.events},
        {"Event graph", &diff.edges},
        {"Handler sequences", &diff.sequences},
        {"Binding changes", &diff.binding_changes},
        {"System calls", &diff.system_calls},
        {"One system call after another", &diff.system_call_edges}};
    std::string text;
    for (const auto &[title, entries] : parts) {
        TextTable table({">before", ">after", ">share before", ">share after", "what"});
        for (const model::DiffEntry &entry : *entries)
            table.row({grouped(entry.before), grouped(entry.after), percent(entry.share_before),
                       percent(entry.share_after), entry.what});
        text += heading(title, style) + (entries->empty() ? "  the same\n" : table.text(style));
    }
    return text;
}

}  // namespace thalweg::report
