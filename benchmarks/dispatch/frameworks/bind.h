// benchmarks: a vector of std::function, each with what std::bind makes of a member function and its object.
#pragma once

#include <cstddef>
#include <functional>

#include "frameworks/list_of.h"
#include "frameworks/listener.h"
#include "segment.h"

template <size_t>
class EventType : public ListOf<std::function<void(Segment &)>> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        static ListenerOf<handler, State> listener(state);
        add(std::bind(&ListenerOf<handler, State>::on, &listener, std::placeholders::_1));
    }
};
