// transform: the twin's second bodies, in which the values of generic code are noted (src/recorder/probe_abi.h).
#pragma once

#include <vector>

#include "transform/ir/symbols.h"
#include "transform/site/fact_place.h"

namespace thalweg::transform {

// Before anything changes: clones of a load carry its number, whatever other probes copy, and a body that is put into its callers'
// that of its function.
void mark_fact_places(const BodyList &bodies, const FactPlaces &found);

// Gives each function with a place its second body, and each that is counted a test at its entry. After all other changes; of a function that
// they put into its callers the entries are counted there.
// `more_places`: that others will note behind these. All second bodies together grow to what the program had, `program_instructions`; of the largest
// functions of a large program only the entries are counted.
void insert_fact_probes(llvm::Module &module, const std::vector<model::FunctionBody> &bodies, const FactPlaces &found,
                        size_t more_places, uint64_t program_instructions);

}  // namespace thalweg::transform
