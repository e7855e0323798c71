// transform: the passes of the instrumented twin, in order.
#include "llvm/IR/DebugInfo.h"

#include "transform/driver.h"
#include "transform/files.h"
#include "transform/libc/reuse.h"
#include "transform/probe/cache.h"
#include "transform/probe/fact.h"
#include "transform/probe/output.h"
#include "transform/probe/probe.h"
#include "transform/probe/system_call.h"
#include "transform/probe/wait.h"
#include "transform/profile/counters.h"
#include "transform/site/dispatch_site.h"
#include "transform/site/expand.h"
#include "transform/site/fact_call.h"
#include "transform/site/fact_place.h"
#include "transform/site/recorded_site.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Where the counters stand the code is not as the optimising link sees it; that one finds a site by its function's hash without them.
void take_keys(const std::vector<RecordedSite> &uncounted, std::vector<DispatchSite> &sites) {
    std::map<std::pair<std::string, uint32_t>, const model::Site *> keys;
    for (const RecordedSite &one : uncounted)
        keys[{one.site.key.function, one.site.key.ordinal}] = &one.site.key;
    for (DispatchSite &site : sites)
        if (const auto found = keys.find({site.key.function, site.key.ordinal}); found != keys.end())
            site.key = *found->second;
}

}  // namespace

// Facts speak of the program's own functions, dispatch sites of what they are when each caller has its dispatchers.
void make_twin(const Link &link) {
    Module &module = link.module;
    FunctionAnalysisManager &analyses = link.analyses();
    const uint64_t before = module.getInstructionCount();
    const uint64_t room = room_for_copies(before);
    const std::vector<model::Site> calls = find_system_calls(module);
    BodyList bodies = collect_bodies(module);
    FactPlaces found = find_fact_places(bodies);
    add_places_by_call(bodies, found);
    const std::vector<WatchedComputation> computations = find_computations(bodies);
    count_computations(computations, found);
    mark_fact_places(bodies, found);
    const std::vector<RecordedSite> uncounted = find_recorded_sites(module, analyses, room);
    std::vector<model::CountedFunction> counted = insert_counters(module, link.manager);
    if (const auto output = count_output(module, calls))
        counted.push_back(*output);
    expand_dispatchers(module, analyses, room);
    std::vector<DispatchSite> sites = find_dispatch_sites(module);
    take_keys(uncounted, sites);
    const std::vector<WaitSite> waits = find_wait_sites(module);
    Slots slots = dispatch_slots(module);
    model::SiteTable table = insert_probes(module, sites, slots);
    insert_wait_probes(module, waits, static_cast<uint32_t>(sites.size()), slots);
    emit_slots(module, slots);
    for (const WaitSite &wait : waits)
        table.sites.push_back(wait.key);
    table.sites.insert(table.sites.end(), calls.begin(), calls.end());
    insert_fact_probes(module, bodies.bodies, found, computations.size(), before);
    insert_computation_probes(module, bodies.bodies, computations, found.places.size());
    insert_system_call_probes(module, static_cast<uint32_t>(sites.size() + waits.size()));
    for (model::CountedFunction &one : count_reuse(module, analyses))
        counted.push_back(std::move(one));
    for (const WatchedComputation &one : computations)
        table.computations.push_back(one.of);
    for (const WatchedPlace &place : found.places)
        table.fact_places.push_back(place.place);
    table.functions = std::move(bodies.bodies);
    table.instructions = before;
    table.counted = counted;
    lower_counters(module, link.manager, counted);
    // Lines for a backtrace stay; where variables lie nobody asks of a twin, and it is a quarter of the file (measured on sqlite3).
    stripNonLineTableDebugInfo(module);
    write_file(link.job.site_table_path, model::write_site_table(table));
}

}  // namespace thalweg::transform
