// transform: the passes of an optimising link, in order, and what became of the plan's decisions.
#include "transform/driver.h"

#include <map>
#include <optional>

#include "model/plan.h"
#include "settle/kept.h"
#include "settle/settle.h"
#include "transform/cache/cache.h"
#include "transform/event/lines.h"
#include "transform/event/path_table.h"
#include "transform/event/placement.h"
#include "transform/files.h"
#include "transform/ir/guard_counter.h"
#include "transform/ir/rounding.h"
#include "transform/ir/use.h"
#include "transform/libc/reuse.h"
#include "transform/profile/share.h"
#include "transform/profile/use.h"
#include "transform/program/early_binding.h"
#include "transform/program/own_inlining.h"
#include "transform/program/own_place.h"
#include "transform/program/reach.h"
#include "transform/program/stored_plan.h"
#include "transform/remarks.h"
#include "transform/site/asked.h"
#include "transform/site/expand.h"
#include "transform/site/recorded_body.h"
#include "transform/specializer/layer.h"
#include "transform/system_call/site.h"
#include "transform/system_call/system_call.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What became of a plan's decisions so far. The plan outlives it.
class Outcomes {
  public:
    explicit Outcomes(const model::Plan &plan) {
        for (const model::Decision &decision : plan.decisions)
            decisions_[decision.id] = &decision;
    }

    void add(const std::vector<model::DecisionOutcome> &more) { all_.insert(all_.end(), more.begin(), more.end()); }

    // Whether a decision was applied whose kind's row says this.
    template <class Says>
    bool any_applied(const Says &says) const {
        return any_of(all_, [&](const model::DecisionOutcome &one) {
            return one.applied && says(row_of(decisions_.at(one.decision)->kind()));
        });
    }

    // Whose body is an applied decision's now.
    std::map<std::string, uint32_t> taken_functions() const {
        std::map<std::string, uint32_t> functions;
        for (const model::DecisionOutcome &one : all_)
            if (one.applied && is_of_function(decisions_.at(one.decision)->kind()))
                functions[decisions_.at(one.decision)->site.function] = one.decision;
        return functions;
    }

    // In the order of the plan; the list is the caller's now.
    std::vector<model::DecisionOutcome> take() {
        llvm::sort(all_, [](const auto &a, const auto &b) { return a.decision < b.decision; });
        return std::move(all_);
    }

  private:
    std::map<uint32_t, const model::Decision *> decisions_;
    std::vector<model::DecisionOutcome> all_;
};

CountsUsed counts_of(const Link &link) {
    if (link.job.counts_path.empty())
        return {};
    CountsUsed counts = use_counts(link.module, link.manager, read_file(link.job.counts_path));
    if (!counts.problem.empty())
        report_fatal_error(Twine("thalweg: our bug: LLVM does not read the counts: ") + counts.problem, false);
    return counts;
}

// Ours, or those that the program was compiled with.
std::optional<EntriesFromElsewhere> entries_from_elsewhere(const Link &link) {
    if (none_of(link.module, [](const Function &function) { return function.getEntryCount().has_value(); }))
        return {};
    return EntriesFromElsewhere(link.module, link.analyses());
}

// Whether nothing but calls was changed. With counts LLVM's inlining is as good as link-time optimisation has it.
bool keep_what_was_not_changed(const Link &link, const Outcomes &outcomes, const CountsUsed &counts) {
    const bool any = outcomes.any_applied([](const model::KindRow &) { return true; });
    const bool only_crossings = !outcomes.any_applied([](const model::KindRow &row) {
        return row.subject != model::Subject::system_calls && row.subject != model::Subject::library_function;
    });
    const bool only_calls =
        counts.fitting == 0 && !outcomes.any_applied([](const model::KindRow &row) { return row.makes_code; });
    if (any && only_crossings && counts.fitting == 0)
        keep_own_inlining(link.module);
    if (only_calls)
        begin_where_they_began(link.job.places, link.module);
    return only_calls;
}

// What `thalweg plan` would write of a plan after its trial stands in the program that this link makes. Where something was made that such a plan
// refuses, there is nothing to go on with: it cannot be taken out again.
void settle_plan(const Link &link, const model::Plan &whole, model::Outcome &outcome) {
    model::Plan settled = whole;
    settle::settle(settled, outcome, link.job.instruction_ns);
    if (settle::made_in_vain(settled, outcome)) {
        write_file(link.job.outcome_path, model::write_outcome(outcome));
        report_fatal_error("thalweg: a decision saves too little; the program is linked again without it", false);
    }
    store_plan(link.module, model::write_plan(settle::kept_plan(settled, link.job.only_decisions)));
}

}  // namespace

// Everything that decisions name is found before anything is changed, and found again by its mark.
bool optimise(const Link &link) {
    Module &module = link.module;
    FunctionAnalysisManager &analyses = link.analyses();
    model::Outcome outcome;
    outcome.instructions_before = module.getInstructionCount();
    if (!link.job.is_library && !tests_types(module))
        outcome.float_environment = user_of_float_environment(module);
    const CountsUsed counts = counts_of(link);
    outcome.executed_instructions = executed_instructions(module, analyses, counts);
    const model::Plan whole = value_or_die(model::read_plan(read_file(link.job.plan_path)));
    const std::optional<EntriesFromElsewhere> elsewhere = entries_from_elsewhere(link);
    const auto [plan, left] = asked_of(whole, link.job.only_decisions);
    GuardCounter counter(module, link.job.count_guards);
    const std::vector<model::Site> calls = find_system_calls(module);
    RecordedBodies bodies(plan, module);
    Lines lines(plan, module, analyses, room_for_copies(outcome.instructions_before), link.job.remarks);
    const Remarks remarks(module, lines.sites());
    Outcomes outcomes(whole);
    outcomes.add(left);
    outcomes.add(overlap_remote_calls(plan, calls, module, analyses));
    bodies.note_changes();
    const LineClaims claims = lines.prepare();
    Caches caches(plan, bodies, module);
    // Of a plan that somebody has read all is made that it asks for.
    const RecordedRun run{static_cast<double>(outcome.executed_instructions), link.job.instruction_ns};
    outcomes.add(specialise_layers(plan, bodies, claims, module, analyses, counter, run));
    const std::map<std::string, uint32_t> taken = outcomes.taken_functions();
    outcomes.add(caches.put(counter));
    PathTable paths(module);
    outcomes.add(lines.make(taken, paths, counter));
    outcomes.add(improve_system_calls(plan, calls, module, analyses));
    outcomes.add(reuse_small_blocks(plan, module, analyses));
    const bool makes_code = outcomes.any_applied([](const model::KindRow &row) { return row.makes_code; });
    const bool only_calls = keep_what_was_not_changed(link, outcomes, counts);
    outcome.decisions = outcomes.take();
    if (link.job.settles)
        settle_plan(link, whole, outcome);
    if (elsewhere && makes_code)
        elsewhere->share(module, analyses);
    place_contexts_together(lines.tree(), module);
    paths.emit();
    counter.emit();
    take_back_what_is_dead(module, whole, outcome.decisions);
    tell_heat(module);
    outcome.instructions_after = module.getInstructionCount();
    outcome.counted_functions = counts.fitting;
    outcome.miscounted_functions = counts.misfitting;
    remarks.tell(whole, outcome.decisions);
    write_file(link.job.outcome_path, model::write_outcome(outcome));
    if (link.job.mode == job::TransformJob::Mode::trial)
        return only_calls;
    fit_memory_operations(module, analyses);
    if (counts.fitting != 0) {
        bind_what_was_called(module, analyses);
        shrink_what_is_cold(module, link.manager);
    }
    return only_calls;
}

}  // namespace thalweg::transform
