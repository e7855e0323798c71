// transform: entry counts after code was copied.
#include "transform/profile/share.h"

#include "llvm/IR/Module.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What changes by less stays: LLVM's frequencies are rounded.
constexpr double least_change = 1e-3;

Entries counted_entries(Module &module) {
    Entries entries;
    for (const Function &function : module)
        if (const auto count = function.getEntryCount())
            entries[&function] = static_cast<double>(count->getCount());
    return entries;
}

}  // namespace

EntriesFromElsewhere::EntriesFromElsewhere(Module &module, FunctionAnalysisManager &analyses)
    : EntriesFromElsewhere(CallFrequencies(module, analyses).of_all(module), counted_entries(module)) {}

EntriesFromElsewhere::EntriesFromElsewhere(const std::vector<Caller> &callers, Entries counted)
    : recursion_(callers), entries_(std::move(counted)) {
    Entries called;
    for (const Caller &caller : callers)
        for (const auto &[callee, per_entry] : caller.callees)
            if (!recursion_.is_within(caller.function, callee))
                called[callee] += entries_.lookup(caller.function) * per_entry;
    for (auto &[function, entries] : entries_)
        entries = std::max(0.0, entries - called.lookup(function));
}

void EntriesFromElsewhere::share(Module &module, FunctionAnalysisManager &analyses) const {
    std::vector<Caller> callers = CallFrequencies(module, analyses).of_all(module);
    for (Caller &caller : callers)
        erase_if(caller.callees, [&](const auto &one) { return recursion_.is_within(caller.function, one.first); });
    const Entries counted = counted_entries(module);
    const Entries entries = passed_on(callers, entries_, counted);
    for (const Caller &caller : callers) {
        Function &function = *caller.function;
        const auto had = counted.find(&function);
        const double now = entries.lookup(&function);
        if (had == counted.end() ? now >= 1 : now < had->second * (1 - least_change))
            function.setEntryCount(static_cast<uint64_t>(now));
        share_targets(caller, now);
    }
}

}  // namespace thalweg::transform
