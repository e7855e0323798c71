// transform: how often a function calls which.
#include "transform/profile/call_frequencies.h"

#include <cmath>

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/ProfileData/InstrProf.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Counts are passed on from callers to callees until they stay as they are, so often at most: a chain of calls has that many links, and of a function
// that calls itself what is left by then is nothing.
constexpr unsigned most_passes = 32;
// More is no count: of a function that calls itself more than once for each entry, by counts that nobody checked against one another, it would grow with
// each pass.
constexpr double most_entries = 1e15;
// What changes by less stays: LLVM's frequencies are rounded.
constexpr double least_change = 1e-3;
// Behind a guard a call is executed less often than it was counted by a million and more. What differs by less may come from callers who are not alike:
// of gawk's get_field the one that leads to a call through a pointer has a twelfth of its entries, and all of that call's.
constexpr double as_counted = 1000;

Entries entries_by_calls(ArrayRef<Caller> callers, const Entries &of_callers) {
    Entries sums;
    for (const Caller &caller : callers)
        if (const double entries = of_callers.lookup(caller.function); entries > 0)
            for (const auto &[callee, per_entry] : caller.callees)
                sums[callee] += entries * per_entry;
    return sums;
}

}  // namespace

FunctionsByProfileName functions_by_profile_name(Module &module) {
    FunctionsByProfileName functions;
    for (Function &function : module)
        if (!function.isDeclaration())
            functions.try_emplace(GlobalValue::getGUID(getIRPGOFuncName(function, true)), &function);
    return functions;
}

CallFrequencies::CallFrequencies(Module &module, FunctionAnalysisManager &analyses)
    : analyses_(analyses), by_name_(functions_by_profile_name(module)) {}

Caller CallFrequencies::of(Function &function) const {
    Caller made{&function, {}, {}};
    const auto &frequencies = analyses_.getResult<BlockFrequencyAnalysis>(function);
    const auto entry = static_cast<double>(frequencies.getEntryFreq().getFrequency());
    for (BasicBlock &block : function)
        for (Instruction &instruction : block)
            if (auto *call = dyn_cast<CallBase>(&instruction))
                add(*call, static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) / entry, made);
    analyses_.invalidate(function, PreservedAnalyses::none());
    return made;
}

std::vector<Caller> CallFrequencies::of_all(Module &module) const {
    std::vector<Caller> all;
    for (Function &function : module)
        if (!function.isDeclaration())
            all.push_back(of(function));
    return all;
}

void CallFrequencies::add(CallBase &call, double per_entry, Caller &caller) const {
    if (auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts())) {
        if (!callee->isDeclaration())
            caller.callees.emplace_back(callee, per_entry);
        return;
    }
    caller.through_pointers.push_back({&call, per_entry});
    uint64_t all = 0;
    for (const InstrProfValueData &target : getValueProfDataFromInst(call, IPVK_IndirectCallTarget, most_targets, all))
        if (Function *callee = by_name_.lookup(target.Value); callee && all != 0)
            caller.callees.emplace_back(callee,
                                        per_entry * static_cast<double>(target.Count) / static_cast<double>(all));
}

Entries passed_on(ArrayRef<Caller> callers, const Entries &from_elsewhere, const Entries &bounds) {
    Entries entries = bounds.empty() ? from_elsewhere : bounds;
    bool changes = true;
    for (unsigned pass = 0; changes && pass < most_passes; ++pass) {
        const Entries called = entries_by_calls(callers, entries);
        changes = false;
        for (const Caller &caller : callers) {
            const double sum =
                std::min(most_entries, from_elsewhere.lookup(caller.function) + called.lookup(caller.function));
            const auto bound = bounds.find(caller.function);
            const double now = bound == bounds.end() ? sum : std::min(sum, bound->second);
            changes |= std::abs(now - entries.lookup(caller.function)) > least_change * now;
            entries[caller.function] = now;
        }
    }
    return entries;
}

void share_targets(const Caller &caller, double entries) {
    for (const auto &[call, per_entry] : caller.through_pointers) {
        uint64_t all = 0;
        getValueProfDataFromInst(*call, IPVK_IndirectCallTarget, most_targets, all);
        const double executed = entries * per_entry;
        if (static_cast<double>(all) > executed * as_counted)
            scaleProfData(*call, static_cast<uint64_t>(executed), all);
    }
}

}  // namespace thalweg::transform
