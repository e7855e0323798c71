// graph: a run's tree of calls as a flat profile and as a call graph; which functions are an event's, a layer's, a wait's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/functions.h"
#include "model/graphs.h"
#include "model/profile.h"

namespace thalweg::graph {

model::CallGraph call_graph_of(const model::FunctionProfile &run);

// Notes with each function that is a handler of the recorded program's events, dispatches them, or waits, what it is there.
// `layers`: linker names of functions that a plan makes code for facts of.
void join(model::FunctionProfile &run, const model::Profile &recorded, const std::vector<std::string> &layers);

}  // namespace thalweg::graph
