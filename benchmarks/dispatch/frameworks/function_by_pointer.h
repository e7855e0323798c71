// benchmarks: a vector of std::function that take the segment by pointer.
#pragma once

#include <cstddef>
#include <functional>

#include "frameworks/list_of.h"
#include "segment.h"

template <size_t>
class EventType : public ListOf<std::function<void(Segment *)>> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        add([state](Segment *segment) { handler(*state, *segment); });
    }
};
