// settle: what an optimised program remembers of the plan that made it.
#pragma once

#include "model/plan.h"

namespace thalweg::settle {

// The part of a plan that an optimised program stores, so that its twin can be made by the same decisions and count their guards: the decisions to
// apply and their parents, without the sentences for people. Refusals, most of a plan, are dropped.
// `only`: the numbers of the decisions asked for; empty: all.
model::Plan kept_plan(const model::Plan &plan, const std::vector<uint32_t> &only);

// Keeps a plan short enough to edit: all applied decisions with what belongs to them, and the `most_refusals` refusals with the largest predicted
// gain. The other refusals are only counted, by reason.
model::Plan without_light_refusals(const model::Plan &plan, size_t most_refusals);

}  // namespace thalweg::settle
