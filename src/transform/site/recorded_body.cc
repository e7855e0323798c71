// transform: the functions that a plan speaks of, as they were before anything was changed.
#include "transform/site/recorded_body.h"

#include <fmt/format.h>

#include "llvm/IR/StructuralHash.h"

namespace thalweg::transform {

using namespace llvm;

RecordedBodies::RecordedBodies(const model::Plan &plan, const Module &module) {
    const auto add = [&](const std::string &name) {
        const Function *function = module.getFunction(name);
        if (function && !function->isDeclaration() && !bodies_.contains(function))
            bodies_[function].hash = StructuralHash(*function, true);
    };
    for (const model::Decision &decision : plan.decisions) {
        if (is_of_function(decision.kind()))
            add(decision.site.function);
        for (const model::Fact &fact : decision.facts()) {
            add(fact.function);
            if (fact.call)
                add(fact.call->caller);
        }
    }
}

void RecordedBodies::note_changes() {
    for (auto &[function, body] : bodies_)
        body.changed = StructuralHash(*function, true) != body.hash;
}

std::string stale(StringRef function) {
    return fmt::format("stale: {} has changed since it was recorded", function.str());
}

RecordedBodies::Found RecordedBodies::function_of(const model::Decision &decision, const Module &module) const {
    const std::string &name = decision.site.function;
    Function *function = module.getFunction(name);
    if (!function || function->isDeclaration())
        return {nullptr, fmt::format("there is no function {} in this program", name)};
    if (std::string why_not = misfit(*function, decision.site.body_hash); !why_not.empty())
        return {nullptr, std::move(why_not)};
    return {function, {}};
}

std::string RecordedBodies::misfit(const Function &function, uint64_t recorded) const {
    const auto body = bodies_.find(&function);
    if (recorded == 0 || body == bodies_.end())
        return {};
    if (body->second.hash != recorded)
        return stale(function.getName());
    if (body->second.changed)
        return "another decision has changed " + function.getName().str();
    return {};
}

}  // namespace thalweg::transform
