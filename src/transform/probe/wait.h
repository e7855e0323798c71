// transform: in the instrumented twin, triggers and waits tell the recorder of themselves.
#pragma once

#include "transform/probe/slot.h"
#include "transform/site/wait_site.h"

namespace thalweg::transform {

// Site i has the number `first` + i for the recorder.
void insert_wait_probes(llvm::Module &module, const std::vector<WaitSite> &sites, uint32_t first, Slots &slots);

}  // namespace thalweg::transform
