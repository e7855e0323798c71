// transform: the dispatch sites of a program as its recording saw them.
#include "transform/site/recorded_site.h"

#include <set>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "transform/site/expand.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool calls_through_pointers(const Function &function) {
    return any_of(instructions(function), [](const Instruction &one) {
        const auto *call = dyn_cast<CallBase>(&one);
        return call && call->isIndirectCall();
    });
}

// Functions that may have a site of their own, and those that may get one by copies: the callers of these, level by level. What counts for
// whether copies are made is in them too, so that a clone of them alone tells the same as one of the whole program.
SmallPtrSet<const GlobalValue *, 32> functions_with_sites(const Module &module) {
    SmallSetVector<const Function *, 32> level;
    for (const Function &function : module)
        if (!function.isDeclaration() && calls_through_pointers(function))
            level.insert(&function);
    SmallPtrSet<const GlobalValue *, 32> found(level.begin(), level.end());
    for (unsigned i = 0; i < max_levels_of_copies; ++i) {
        SmallSetVector<const Function *, 32> next;
        for (const Function *callee : level)
            for (const User *user : callee->users())
                if (const auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == callee)
                    next.insert(call->getFunction());
        found.insert(next.begin(), next.end());
        level = std::move(next);
    }
    for (const Function *callee : functions_that_count_for_copies(module))
        for (const User *user : callee->users())
            if (const auto *call = dyn_cast<CallBase>(user))
                found.insert(call->getFunction());
    return found;
}

// Numbers the calls that are dispatches or may lead to copies of some.
void set_origins(Module &module, const SmallPtrSet<const GlobalValue *, 32> &wanted) {
    uint32_t number = 0;
    for (Function &function : module) {
        if (!wanted.contains(&function))
            continue;
        for (Instruction &one : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&one);
                call && (call->isIndirectCall() || wanted.contains(call->getCalledFunction())))
                set_origin(*call, {number++});
    }
}

}  // namespace

std::vector<RecordedSite> find_recorded_sites(Module &module, FunctionAnalysisManager &analyses, uint64_t room) {
    const SmallPtrSet<const GlobalValue *, 32> wanted = functions_with_sites(module);
    set_origins(module, wanted);
    ValueToValueMapTy map;
    const std::unique_ptr<Module> clone = CloneModule(
        module, map, [&](const GlobalValue *value) { return !isa<Function>(value) || wanted.contains(value); });
    expand_dispatchers(*clone, analyses, room);
    std::vector<RecordedSite> sites;
    for (DispatchSite &site : find_dispatch_sites(*clone)) {
        site.function = module.getFunction(site.key.function);
        sites.push_back({std::move(site), {}, nullptr});
        sites.back().origins.resize(sites.back().site.call_count);
    }
    for (Function &function : *clone) {
        for (const Instruction &one : instructions(function))
            if (const uint32_t number = site_of(one); number != no_site) {
                RecordedSite &site = sites[number];
                if (!site.line)
                    site.line = line_of(one);
                site.origins[ordinal_in_site(one)] = origin_of(cast<CallBase>(one));
            }
        analyses.clear(function, function.getName());
    }
    return sites;
}

void keep_origins_of(ArrayRef<const RecordedSite *> sites, Module &module) {
    std::set<uint32_t> wanted;
    for (const RecordedSite *site : sites)
        for (const Origin &origin : site->origins)
            wanted.insert(origin.begin(), origin.end());
    for (Function &function : module)
        for (Instruction &one : instructions(function)) {
            auto *call = dyn_cast<CallBase>(&one);
            const Origin own = call ? origin_of(*call) : Origin{};
            if (!own.empty() && !wanted.contains(own.front()))
                forget_origin(*call);
        }
}

}  // namespace thalweg::transform
