// plan: the sentences of a decision.
#include "plan/event_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"

namespace thalweg::plan {

using model::Decision;
using model::DecisionKind;
using model::PlannedTarget;
using model::SiteKind;

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string counted(uint64_t count, uint64_t error) { return (error == 0 ? "" : "~") + grouped(count); }

std::string times(uint64_t count, uint64_t error) {
    return error == 0 ? thalweg::times(count) : counted(count, error) + " times";
}

std::string entries(uint64_t count, uint64_t error) {
    return counted(count, error) + (count == 1 && error == 0 ? " entry" : " entries");
}

std::string handlers(size_t count) { return fmt::format("{} handler{}", count, count == 1 ? "" : "s"); }

std::string guard_words(const Decision &decision) {
    size_t contexts = static_cast<size_t>(std::count_if(decision.targets().begin(), decision.targets().end(),
                                                        [](const PlannedTarget &t) { return !t.context.empty(); }));
    std::string same = contexts == 0 ? "" : fmt::format(" ({} with the recorded context)", contexts);
    if (decision.site.kind == SiteKind::list)
        return fmt::format(
            "each of the {} calls: the pointer is the recorded one{}; the list ends after the last. Tested up "
            "front where no handler before can change it, else at its place.",
            decision.targets().size(), same);
    std::string what =
        fmt::format("the event's path word: its handlers are just these {}{}", decision.targets().size(), same);
    if (decision.kind() == DecisionKind::subsume)
        return what + ", held by the version word of the whole path; after each handler: no binding has changed.";
    return what + ", tested once before the first; after each handler: no binding has changed.";
}

std::string reason_words(const Decision &decision, const Dispatches &here, size_t merged) {
    std::string text = fmt::format("{} ran in this order in {} of {} dispatches", handlers(decision.targets().size()),
                                   percent(decision.share), counted(here.count, here.error));
    if (here.shapes.size() > 1)
        text += fmt::format(" ({} different orders were seen)", here.shapes.size());
    if (const auto *inside = std::get_if<model::Subsume>(&decision.work))
        text += inside->chain ? "; raised synchronously inside the handler, and the two events form an event chain"
                              : "; raised synchronously inside the handler";
    size_t direct = decision.targets().size() - merged;
    if (direct > 0)
        text += fmt::format("; {} called only: no body in this program, or a large one", handlers(direct));
    return text + ".";
}

}  // namespace thalweg::plan
