// transform: the direct calls that lead to generic code, by which what is noted there is kept apart.
#pragma once

#include <vector>

#include "llvm/IR/InstrTypes.h"

#include "transform/site/fact_place.h"

namespace thalweg::transform {

// All calls of a function but those of intrinsics, in block order: a call is found again by its number.
std::vector<llvm::CallBase *> calls_in_order(llvm::Function &function);

// Gives the loads of functions that several direct calls lead to places of their own for each of these calls ("context sensitivity",
// tempo-sunrpc section 3.3): a layer that is entered with two objects has two values at each place, and for each call one.
void add_places_by_call(const BodyList &bodies, FactPlaces &found);

}  // namespace thalweg::transform
