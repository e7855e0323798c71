// benchmarks: an object with a member function that is to be called, for the frameworks that bind those.
#pragma once

#include "segment.h"

template <auto handler, class State>
class ListenerOf {
  public:
    explicit ListenerOf(State *state) : state_(state) {}
    void on(Segment &segment) { handler(*state_, segment); }

  private:
    State *state_;
};
