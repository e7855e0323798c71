// benchmarks: a vector of C++23's std::move_only_function.
#pragma once

#include <cstddef>
#include <functional>

#include "frameworks/list_of.h"
#include "segment.h"

template <size_t>
class EventType : public ListOf<std::move_only_function<void(Segment &)>> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        add([state](Segment &segment) { handler(*state, segment); });
    }
};
