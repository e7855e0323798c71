// plan: all that is planned for a program, part by part.
#include "plan/program.h"

#include "plan/cache.h"
#include "plan/layer.h"
#include "plan/system_call.h"

namespace thalweg::plan {

model::Plan plan_program(const model::Profile &profile, const model::Graphs &graphs, const CostTable &costs,
                         const Bounds &bounds, const std::vector<model::IndependentCalls> &independent) {
    model::Plan plan = plan_events(profile, graphs, costs, bounds);
    plan_layers(profile, costs, bounds, plan);
    plan_caches(profile, costs, bounds, plan);
    plan_system_calls(profile, costs, bounds, plan, independent);
    return plan;
}

}  // namespace thalweg::plan
