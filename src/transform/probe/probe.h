// transform: makes the instrumented twin: each dispatch site gets a copy, or tests, that tell the recorder what it calls.
#pragma once

#include <string>
#include <vector>

#include "transform/probe/slot.h"
#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

// Instruments every site and emits the symbol list; returns the table that the recorder's numbers refer to.
model::SiteTable insert_probes(llvm::Module &module, const std::vector<DispatchSite> &sites, Slots &slots);

// Where in the recording's folder the recorder of this twin puts its files.
void emit_recording_part(llvm::Module &module, const std::string &part);

}  // namespace thalweg::transform
