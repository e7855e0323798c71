// plan: all that is planned for a program, part by part.
#include "plan/program.h"

#include "plan/blocks.h"
#include "plan/cache.h"
#include "plan/layer.h"
#include "plan/output.h"
#include "plan/system_call.h"

namespace thalweg::plan {

model::Plan plan_program(const model::Profile &profile, const model::Graphs &graphs, const CostTable &costs,
                         const Bounds &bounds, const std::vector<model::IndependentCalls> &independent) {
    model::Plan plan = plan_events(profile, graphs, costs, bounds);
    // What layers ask for is all the room that there is, and more than most of them need.
    model::Plan with_output = plan;
    plan_output(profile, costs, bounds, with_output);
    Bounds others = bounds;
    others.reserved = growth_of(with_output) - growth_of(plan);
    plan_layers(profile, costs, others, plan);
    plan_caches(profile, costs, others, plan);
    plan_system_calls(profile, costs, bounds, plan, independent);
    plan_output(profile, costs, bounds, plan);
    plan_blocks(profile, costs, plan);
    return plan;
}

}  // namespace thalweg::plan
