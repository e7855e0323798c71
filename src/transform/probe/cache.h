// transform: the twin's functions whose results may be kept note how often their inputs stay the same (src/abi/probe.h).
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "model/site.h"
#include "transform/cache/footprint.h"
#include "transform/site/fact_place.h"

namespace thalweg::transform {

struct WatchedComputation {
    model::Computation of;
    cache::Footprint footprint;
};

// Those functions that compute long enough for their results to be worth keeping; the others' entries aren't even looked at.
std::vector<WatchedComputation> find_computations(const BodyList &bodies);

// Their entries are counted too.
void count_computations(const std::vector<WatchedComputation> &computations, FactPlaces &found);

// After the other probes, which declare what the recorder is told by. `first_place`: the number of the first one's place.
void insert_computation_probes(llvm::Module &module, const std::vector<model::FunctionBody> &bodies,
                               const std::vector<WatchedComputation> &computations, size_t first_place);

}  // namespace thalweg::transform
