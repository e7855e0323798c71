// transform: the twin's second bodies, in which the values of generic code are noted (src/abi/probe.h).
#pragma once

#include <vector>

#include "transform/ir/symbols.h"
#include "transform/site/fact_place.h"

namespace thalweg::transform {

// Numbers the places by metadata. To be called before anything changes: then copies of a load keep its number, and a body that is inlined keeps that
// of its function.
void mark_fact_places(const BodyList &bodies, const FactPlaces &found);

// Gives each function with a place a second body that notes values, and each counted function a test at its entry. To be called after all other
// changes; the entries of a function that was inlined are counted in its callers.
// All second bodies together may have as many instructions as the program had (`program_instructions`), the smallest functions first. The largest
// functions of a large program get none, and only their entries are counted. `more_places`: the number of places that other probes add behind these.
void insert_fact_probes(llvm::Module &module, const std::vector<model::FunctionBody> &bodies, const FactPlaces &found,
                        size_t more_places, uint64_t program_instructions);

}  // namespace thalweg::transform
