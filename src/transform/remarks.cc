// transform: what became of each decision, as LLVM's remarks.
#include "transform/remarks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What users name in -Rpass=.
constexpr const char *pass_name = "thalweg";

}  // namespace

Remarks::Remarks(Module &module, const std::vector<RecordedSite> &sites) : module_(module) {
    for (const RecordedSite &recorded : sites)
        if (const DispatchSite &site = recorded.site; site.function)
            places_.try_emplace({site.key.function, site.key.ordinal}, Place{site.function, recorded.line});
}

// A decision whose site is not here is told of its function; where that is not here either, of any.
Remarks::Place Remarks::place_of_decision(const model::Decision &decision) const {
    if (const auto known = places_.find({decision.site.function, decision.site.ordinal}); known != places_.end())
        return known->second;
    Function *function = module_.getFunction(decision.site.function);
    if (function && !function->isDeclaration())
        return {function, {}};
    const auto any = llvm::find_if(module_, [](const Function &one) { return !one.isDeclaration(); });
    return {any == module_.end() ? nullptr : &*any, {}};
}

void Remarks::tell(const model::Plan &plan, const std::vector<model::DecisionOutcome> &outcomes) const {
    std::map<uint32_t, const model::Decision *> by_id;
    for (const model::Decision &decision : plan.decisions)
        by_id[decision.id] = &decision;
    for (const model::DecisionOutcome &outcome : outcomes) {
        const model::Decision &decision = *by_id.at(outcome.decision);
        const Place place = place_of_decision(decision);
        if (!place.function)
            continue;
        const auto say = [&](auto remark) {
            remark << "decision " << ore::NV("Decision", outcome.decision) << " (" << decision.event
                   << (outcome.applied ? ") applied: " : ") not applied: ") << outcome.reason;
            return remark;
        };
        const DiagnosticLocation line(place.line);
        const BasicBlock *region = &place.function->getEntryBlock();
        OptimizationRemarkEmitter emitter(place.function);
        if (outcome.applied)
            emitter.emit([&] { return say(OptimizationRemark(pass_name, "Merged", line, region)); });
        else
            emitter.emit([&] { return say(OptimizationRemarkMissed(pass_name, "NotMerged", line, region)); });
    }
}

}  // namespace thalweg::transform
