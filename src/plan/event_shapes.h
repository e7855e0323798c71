// plan: what ran at each place, as the planner looks at it: shapes, that is sequences of handlers whatever their contexts.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace thalweg::plan {

// Sequences of the same functions in the same order. A context that differs among them is forgotten, unless it is a function:
// then the function is a thunk, and only the context says what runs.
struct Shape {
    std::vector<model::Target> targets;
    uint64_t count = 0;
    uint64_t error = 0;
    bool truncated = false;
};

// An event at a dispatch site. Shapes are sorted by count, the most frequent first.
struct Dispatches {
    std::vector<Shape> shapes;
    uint64_t count = 0;
    uint64_t error = 0;
};

using At = std::pair<uint32_t, uint32_t>;  // site, event
using AllDispatches = std::map<At, Dispatches>;

AllDispatches dispatches_of(const model::Profile &profile);

uint64_t saturating_add(uint64_t a, uint64_t b);

}  // namespace thalweg::plan
