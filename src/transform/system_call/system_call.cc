// transform: finds the calls that a plan speaks of, and hands each decision to its kind's part.
#include "transform/system_call/system_call.h"

#include <map>

#include "llvm/ADT/STLExtras.h"

#include "transform/site/recorded_body.h"
#include "transform/system_call/absent.h"
#include "transform/system_call/coalesce.h"
#include "transform/system_call/descriptor_epoch.h"
#include "transform/system_call/descriptor_flags.h"
#include "transform/system_call/elide.h"
#include "transform/system_call/expand.h"
#include "transform/system_call/flags.h"
#include "transform/system_call/fuse.h"
#include "transform/system_call/hoist.h"
#include "transform/system_call/overlap.h"
#include "transform/system_call/quiet_stretch.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

using Improve = SystemCallResult (*)(const SystemCallGroup &, Module &, FunctionAnalysisManager &);

struct Row {
    model::DecisionKind kind;
    Improve improve;
    knowledge::Act act = knowledge::Act::other;  // of the site; other: any
};

// What makes a descriptor takes in the calls behind it; all else is a loop that copies.
SystemCallResult fuse(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    const bool makes = any_of(calls_at(module, group.first), [](const CallBase *call) { return maker_of(*call); });
    return makes ? make_with_flags(group, module, analyses) : fuse_copy(group, module, analyses);
}

// One part for each kind of decision; of several, the first that fits its site.
constexpr Row rows[] = {
    {model::DecisionKind::hoist, keep_block},
    {model::DecisionKind::coalesce, coalesce_writes},
    {model::DecisionKind::elide, leave_out_absent, knowledge::Act::closes},
    {model::DecisionKind::elide, leave_out_absent, knowledge::Act::controls},
    {model::DecisionKind::elide, leave_out},
    {model::DecisionKind::fuse, fuse},
    {model::DecisionKind::overlap, overlap_calls},
    {model::DecisionKind::expand, expand_output},
};

class Finder {
  public:
    explicit Finder(const std::vector<model::Site> &calls) : calls_(calls) {
        for (uint32_t i = 0; i < calls.size(); ++i)
            numbers_[{calls[i].function, calls[i].ordinal}] = i;
    }

    // Why it isn't in this program; empty: `number` is it.
    std::string find(const model::Site &wanted, uint32_t &number) const {
        const auto found = numbers_.find({wanted.function, wanted.ordinal});
        if (found == numbers_.end())
            return "there is no system call " + std::to_string(wanted.ordinal) + " in " + wanted.function;
        const model::Site &site = calls_[found->second];
        if (wanted.body_hash != 0 && wanted.body_hash != site.body_hash)
            return stale(wanted.function);
        if (!wanted.callee.empty() && wanted.callee != site.callee)
            return "stale: " + wanted.function + " calls " + site.callee + " there, not " + wanted.callee;
        number = found->second;
        return {};
    }

    std::string_view callee_of(uint32_t number) const { return calls_[number].callee; }

  private:
    const std::vector<model::Site> &calls_;
    std::map<std::pair<std::string, uint32_t>, uint32_t> numbers_;
};

SystemCallResult improve(const model::Decision &decision, const Finder &finder, Module &module,
                         FunctionAnalysisManager &analyses) {
    SystemCallGroup group{decision, 0, {}};
    if (std::string why_not = finder.find(decision.site, group.first); !why_not.empty())
        return {std::move(why_not), {}, 0};
    const knowledge::Act act = knowledge::act_of(finder.callee_of(group.first));
    const auto *row = find_if(rows, [&](const Row &one) {
        return one.kind == decision.kind() && (one.act == knowledge::Act::other || one.act == act);
    });
    if (row == std::end(rows))
        return {"nothing is known to do for this kind of decision", {}, 0};
    for (const model::Site &site : decision.group()) {
        uint32_t number = 0;
        if (std::string why_not = finder.find(site, number); !why_not.empty())
            return {std::move(why_not), {}, 0};
        group.others.push_back(number);
    }
    return row->improve(group, module, analyses);
}

std::vector<model::DecisionOutcome> carry_out(const std::vector<const model::Decision *> &decisions,
                                              const std::vector<model::Site> &calls, Module &module,
                                              FunctionAnalysisManager &analyses) {
    const Finder finder(calls);
    std::vector<model::DecisionOutcome> outcomes;
    for (const model::Decision *one : decisions) {
        const model::Decision &decision = *one;
        const SystemCallResult result = improve(decision, finder, module, analyses);
        const bool applied = result.why_not.empty();
        outcomes.push_back(
            {decision.id, applied, applied ? result.remarks : result.why_not, result.growth_instructions});
    }
    return outcomes;
}

}  // namespace

std::vector<model::DecisionOutcome> overlap_remote_calls(const model::Plan &plan, const std::vector<model::Site> &calls,
                                                         Module &module, FunctionAnalysisManager &analyses) {
    std::vector<const model::Decision *> decisions;
    for (const model::Decision &decision : plan.decisions)
        if (decision.kind() == model::DecisionKind::overlap)
            decisions.push_back(&decision);
    return carry_out(decisions, calls, module, analyses);
}

std::vector<model::DecisionOutcome> improve_system_calls(const model::Plan &plan, const std::vector<model::Site> &calls,
                                                         Module &module, FunctionAnalysisManager &analyses) {
    // What is known of a descriptor must be forgotten where other decisions' calls move it: they come first.
    std::vector<const model::Decision *> decisions;
    for (const bool last : {false, true})
        for (const model::Decision &decision : plan.decisions)
            if (is_of_calls(decision.kind()) && !is_of_library_function(decision.kind()) &&
                decision.kind() != model::DecisionKind::overlap &&
                (decision.kind() == model::DecisionKind::elide) == last)
                decisions.push_back(&decision);
    std::vector<model::DecisionOutcome> outcomes = carry_out(decisions, calls, module, analyses);
    end_stretches(module, analyses);
    keep_descriptor_epochs(module, analyses);
    return outcomes;
}

}  // namespace thalweg::transform
