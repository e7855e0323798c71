// transform: the places of generic code, whose values steer branches, switches and calls through pointers.
#pragma once

#include <vector>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "model/site.h"
#include "transform/ir/symbols.h"

namespace thalweg::transform {

struct WatchedPlace {
    model::FactPlace place;
    llvm::Instruction *source =
        nullptr;  // what gives the value, a load or a call; null: an argument; of the module as it was
};

// A call after which the callee's loads are noted `shift` places further on.
struct WatchedCall {
    uint32_t caller = 0;
    uint32_t ordinal = 0;  // as in CallPlace
    uint32_t callee = 0;
    uint32_t shift = 0;
};

struct FactPlaces {
    // In the order of the functions, arguments before loads; behind them what is noted by call, for each call the callee's loads.
    std::vector<WatchedPlace> places;
    std::vector<WatchedCall> calls;
    std::vector<uint32_t>
        counted;  // functions whose entries are counted: those with places, and those that lead to them
};

// Where loads, arguments and results from outside steer calls through pointers, switches and branches; in small functions that only branch, loads that are
// compared with constants, and what is handed on to such as branch on it.
FactPlaces find_fact_places(const BodyList &bodies);

// Whether the function can have a second body that notes values.
bool can_be_doubled(const llvm::Function &function);

}  // namespace thalweg::transform
