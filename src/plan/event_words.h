// plan: the sentences of a decision: its guard, why it is applied, why it is refused.
#pragma once

#include <string>

#include "model/plan.h"
#include "plan/cost_table.h"
#include "plan/event_shapes.h"

namespace thalweg::plan {

// Why a decision is refused, and the sentence about this one.
struct Refusal {
    model::RefusalKind kind;
    std::string reason;
};

std::string percent(double share);
std::string counted(uint64_t count, uint64_t error);  // "1,234"; with an error "~1,234"
std::string times(uint64_t count, uint64_t error);  // "once", "1,234 times", "~1 times"
std::string entries(uint64_t count, uint64_t error);  // "1 entry", "~1,234 entries"
std::string handlers(size_t count);  // "1 handler", "3 handlers"

std::string guard_words(const model::Decision &decision);
// `merged` of the targets are taken in, the others called directly; `others` more shapes ran at the place.
std::string reason_words(const model::Decision &decision, const Dispatches &here, size_t merged);

}  // namespace thalweg::plan
