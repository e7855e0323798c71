// transform: what has to hold where system calls are to be replaced, and functions that are changed on trial.
#include "transform/system_call/trial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "transform/ir/function_effects.h"
#include "transform/system_call/filter.h"
#include "transform/system_call/unfold.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// With an unfolder: after what it brings into the function.
std::string try_in(Function &function, const Unfolder *unfolder, FunctionAnalysisManager &analyses, Change change) {
    if (std::string obstacle = obstacle_to_change(function); !obstacle.empty())
        return obstacle;
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&function, map);
    if (unfolder)
        unfolder->unfold(*copy);
    std::string why_not = change(*copy, function.getName().str());
    if (why_not.empty())
        take_body(function, *copy, analyses);
    analyses.clear(*copy, copy->getName());
    copy->eraseFromParent();
    return why_not;
}

}  // namespace

std::string obstacle_to_other_calls(const Module &module) {
    const std::string maker = filter_maker_in(module);
    return maker.empty()
               ? ""
               : "the program uses " + maker + ", and may forbid itself the system calls that would take their place";
}

std::string obstacle_to_change(const Function &function) {
    if (function.isPresplitCoroutine() || function.hasFnAttribute(Attribute::Naked) ||
        function.hasFnAttribute(Attribute::OptimizeNone))
        return function.getName().str() + " is not to be changed";
    if (function.callsFunctionThatReturnsTwice())
        return function.getName().str() + " may return to a place in it (setjmp)";
    if (any_of(function, [](const BasicBlock &block) { return block.hasAddressTaken(); }))
        return function.getName().str() + " has labels whose address is taken";
    return {};
}

void take_body(Function &function, Function &other, FunctionAnalysisManager &analyses) {
    const GlobalValue::LinkageTypes linkage = function.getLinkage();
    Constant *personality = function.hasPersonalityFn() ? function.getPersonalityFn() : nullptr;
    function.deleteBody();
    function.setLinkage(linkage);
    function.setPersonalityFn(personality);
    function.splice(function.begin(), &other);
    function.copyMetadata(&other, 0);
    other.clearMetadata();
    for (unsigned i = 0; i < other.arg_size(); ++i) {
        other.getArg(i)->replaceAllUsesWith(function.getArg(i));
        function.getArg(i)->takeName(other.getArg(i));
    }
    forget_effects_of_callers(function);
    analyses.invalidate(function, PreservedAnalyses::none());
}

std::string change_on_trial(ArrayRef<Function *> first, ArrayRef<Function *> holders, Module &module,
                            FunctionAnalysisManager &analyses, Change change) {
    std::string first_reason;
    bool is_done = false;
    const auto try_all = [&](ArrayRef<Function *> functions, const Unfolder *unfolder) {
        for (Function *function : functions) {
            std::string why_not = try_in(*function, unfolder, analyses, change);
            is_done |= why_not.empty();
            if (first_reason.empty())
                first_reason = std::move(why_not);
        }
    };
    try_all(first, nullptr);
    const Unfolder unfolder(module, holders);
    if (!is_done)
        try_all(unfolder.roots(), &unfolder);
    if (is_done)
        return {};
    return first_reason.empty() ? "nothing is left of the calls: another decision took their place" : first_reason;
}

}  // namespace thalweg::transform
