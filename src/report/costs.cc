// report: which events cost most time, and what was done about each.
#include "report/costs.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "report/names.h"

namespace thalweg::report {

using model::Decision;
using model::Verdict;

namespace {

constexpr size_t longest_sentence = 110;

const model::DecisionOutcome *outcome_of(const Decision &decision, const model::Outcome *outcome) {
    if (outcome == nullptr)
        return nullptr;
    const auto found = std::ranges::find(outcome->decisions, decision.id, &model::DecisionOutcome::decision);
    return found == outcome->decisions.end() ? nullptr : &*found;
}

// What a decision did: 3, applied; 2, it is planned; 1, it did not fit; 0, it was refused.
int rank_of(const Decision &decision, const model::Outcome *outcome) {
    if (decision.verdict == Verdict::refuse)
        return 0;
    const model::DecisionOutcome *became = outcome_of(decision, outcome);
    if (became != nullptr && became->applied)
        return 3;
    return outcome == nullptr ? 2 : 1;
}

}  // namespace

std::string duration(double ns) {
    if (ns < 1e3)
        return fmt::format("{:.0f} ns", ns);
    if (ns < 1e6)
        return fmt::format("{:.3g} us", ns / 1e3);
    return ns < 1e9 ? fmt::format("{:.3g} ms", ns / 1e6) : fmt::format("{:.3g} s", ns / 1e9);
}

std::string estimated_time(uint64_t ns, uint64_t error_ns) {
    const std::string time = "~" + duration(static_cast<double>(ns));
    // Merging adds errors up, and of one that nobody knows nobody knows the sum.
    return error_ns >= model::unknown_error ? time : time + " ±" + duration(static_cast<double>(error_ns));
}

bool has_times(const model::Profile &profile) {
    return std::ranges::any_of(profile.events, [](const model::Event &event) { return event.time.timed != 0; });
}

std::vector<uint32_t> dearest_first(const model::Profile &profile) {
    std::vector<uint32_t> order(profile.events.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, std::greater<>(), [&](uint32_t index) {
        const model::Event &event = profile.events[index];
        return std::tuple(event.time.timed != 0, event.time.own_ns, event.raises, ~index);
    });
    return order;
}

const Decision *main_decision(const std::string &event, const model::Plan &plan, const model::Outcome *outcome) {
    const Decision *main = nullptr;
    const auto key = [&](const Decision &one) { return std::tuple(rank_of(one, outcome), one.weight); };
    for (const Decision &decision : plan.decisions)
        if (decision.event == event && !is_of_function(decision.kind()) &&
            (main == nullptr || key(decision) > key(*main)))
            main = &decision;
    return main;
}

std::string what_was_done(const std::string &event, const model::Plan &plan, const model::Outcome *outcome) {
    const Decision *decision = main_decision(event, plan, outcome);
    if (decision == nullptr)
        return "no decision";
    const model::DecisionOutcome *became = outcome_of(*decision, outcome);
    const std::string because = became != nullptr && !became->reason.empty() ? became->reason : decision->reason;
    static constexpr const char *words[] = {"refused", "not applied", "planned", "applied"};
    const int rank = rank_of(*decision, outcome);
    const std::string name =
        decision->verdict == Verdict::refuse ? decision->refusal : std::string(model::kind_word(decision->kind()));
    return fmt::format("{} ({}): {}", words[rank], name.empty() ? "by hand" : name, first_sentence(because));
}

std::string first_sentence(const std::string &reason) {
    std::string text = with_short_names(reason);
    if (const size_t end = text.find(". "); end != std::string::npos)
        text.resize(end);
    if (text.ends_with('.'))
        text.pop_back();
    if (text.size() > longest_sentence)
        text = text.substr(0, text.rfind(' ', longest_sentence)) + " ...";
    return shown(text);
}

}  // namespace thalweg::report
