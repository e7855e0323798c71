// report: what a decision does, in words.
#include "report/decision_words.h"

#include <fmt/format.h>

#include "report/text_table.h"

namespace thalweg::report {

using model::Decision;

std::string what_is_done(const Decision &decision) {
    const model::KindRow &row = row_of(decision.kind());
    if (const auto *inside = std::get_if<model::Subsume>(&decision.work))
        return fmt::format("{} {} into decision {}, handler {}", inside->chain ? "chain" : row.does,
                           plural(inside->targets.size(), "handler"), decision.parent, inside->position + 1);
    if (row.subject == model::Subject::dispatch)
        return fmt::format("{} {}", row.does, plural(decision.targets().size(), "handler"));
    const auto *layer = std::get_if<model::Specialize>(&decision.work);
    if (layer == nullptr)
        return row.does;
    return fmt::format("{} for {}{}", row.does,
                       layer->facts.empty() ? "the program's own constants" : plural(layer->facts.size(), "fact"),
                       decision.parent == 0
                           ? std::string()
                           : fmt::format(", inside decision {}: only where that one can't be made", decision.parent));
}

std::string remedy_of(const Decision &decision) {
    const model::RefusalRow *row = model::refusal_named(decision.refusal);
    return row == nullptr ? "" : row->remedy;
}

std::string when_it_fails(const Decision &decision) {
    if (decision.verdict == model::Verdict::refuse)
        return "Nothing changes: the program's own code runs.";
    // An event has a place to go on from, a list has the state of its loop.
    if (decision.kind() == model::DecisionKind::merge && decision.site.kind == model::SiteKind::event)
        return "The original loop runs, from the first handler that has not run yet. When the same handlers are bound "
               "again, the line is taken again.";
    return row_of(decision.kind()).when_it_fails;
}

}  // namespace thalweg::report
