// graph: from what a profile counted of system calls to the system-call graph (paper cassyopia, section 2).
#pragma once

#include <cstdint>

#include "model/graphs.h"
#include "model/profile.h"

namespace thalweg::graph {

// Sequences are event paths of the graph whose vertices are sites, of edges that are about equally heavy; one whose last call leads back to
// its first repeats.
model::SystemCallGraph system_call_graph_of(const model::Profile &profile, uint64_t eta);

// The share of all transitions that is used for events too (default_eta_divisor).
uint64_t default_call_eta(const model::Profile &profile);

}  // namespace thalweg::graph
