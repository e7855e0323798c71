// plan: which dispatches become straight lines, which nested ones are taken in, and why the others are not.
#pragma once

#include <cstdint>
#include <optional>

#include "model/graphs.h"
#include "model/plan.h"
#include "model/profile.h"
#include "plan/cost_table.h"

namespace thalweg::plan {

// What the user may bound.
struct Bounds {
    uint64_t eta = 1;  // a sequence that ran less often is too cold, whatever it saves
    double min_share = default_min_share;
    std::optional<double> max_growth_percent;  // none: the default, and small programs may grow more
    uint64_t reserved = 0;  // IR instructions of that, for decisions that are made later
};

// Every event at every site with a recorded sequence gets at least one decision, applied or refused. Numbered by falling weight,
// then by site, event and alternative; but a decision always comes after its parent.
model::Plan plan_events(const model::Profile &profile, const model::Graphs &graphs, const CostTable &costs,
                        const Bounds &bounds);

// How much the plan would make the program grow, in IR instructions. A layer inside another grows in that one's place.
uint64_t growth_of(const model::Plan &plan);

// How much a program of this size may grow.
uint64_t allowed_growth(uint64_t program_instructions, const Bounds &bounds);

}  // namespace thalweg::plan
