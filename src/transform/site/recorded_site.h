// transform: the dispatch sites of a program as its recording saw them, found before anything in it is changed.
#pragma once

#include <vector>

#include "llvm/IR/PassManager.h"

#include "transform/site/dispatch_site.h"
#include "transform/site/origin.h"

namespace thalweg::transform {

struct RecordedSite {
    DispatchSite site;
    // Of its calls, by ordinal: which functions have to be put into which, so that the site is there.
    std::vector<Origin> origins;
    const llvm::DILocation *line = nullptr;
};

// Each caller had its own copies of small dispatchers in the recording link. Here they have them in a clone, which is looked at and thrown
// away: in `module` nothing changes but that its calls have origins. `room`: for copies, of the program's instructions before any pass.
std::vector<RecordedSite> find_recorded_sites(llvm::Module &module, llvm::FunctionAnalysisManager &analyses,
                                              uint64_t room);

// Takes the origins off all calls but those that lead to one of these sites.
void keep_origins_of(llvm::ArrayRef<const RecordedSite *> sites, llvm::Module &module);

}  // namespace thalweg::transform
