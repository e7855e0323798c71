// transform: the places of generic code, whose values steer branches, switches and calls through pointers.
#pragma once

#include <vector>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "model/site.h"
#include "transform/symbols.h"

namespace thalweg::transform {

struct WatchedPlace {
    model::FactPlace place;
    llvm::LoadInst *load = nullptr;  // null: an argument; of the module as it was
};

// In the order of the functions, arguments before loads. A function without a call through a pointer or a switch that a load
// or an argument steers is left alone, unless it is large or its arguments lead to such a place.
std::vector<WatchedPlace> find_fact_places(const BodyList &bodies);

// Whether the function can have a second body that notes values.
bool can_be_doubled(const llvm::Function &function);

}  // namespace thalweg::transform
