// transform: one specialised function becomes an object file of its own.
#include "model/plan.h"
#include "transform/driver.h"
#include "transform/files.h"
#include "transform/program/stand_alone.h"
#include "transform/specializer/layer.h"

namespace thalweg::transform {

using namespace llvm;

void make_object(const Link &link) {
    const model::Plan plan = value_or_die(model::read_plan(read_file(link.job.plan_path)));
    if (plan.decisions.size() != 1 || plan.decisions.front().kind() != model::DecisionKind::specialize)
        report_fatal_error("thalweg: an object is made of one decision of kind specialize", false);
    model::Outcome outcome;
    outcome.instructions_before = link.module.getInstructionCount();
    Specialised made = specialise_beside(plan.decisions.front(), link.module, link.analyses());
    if (made.residual) {
        StandAlone alone = keep_alone(*made.residual, *made.root, link.job.object_symbol, link.module, link.manager);
        if (alone.problem.empty())
            outcome.object = std::move(alone.object);
        else
            made.outcome = {made.outcome.decision, false, alone.problem, 0};
    }
    outcome.decisions.push_back(std::move(made.outcome));
    outcome.instructions_after = outcome.object ? link.module.getInstructionCount() : outcome.instructions_before;
    write_file(link.job.outcome_path, model::write_outcome(outcome));
}

}  // namespace thalweg::transform
