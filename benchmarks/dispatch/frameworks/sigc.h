// benchmarks: sigc++ 2 or 3.
#pragma once

#include <cstddef>

#include <sigc++/sigc++.h>

#include "segment.h"

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        signal_.connect([state](Segment &segment) { handler(*state, segment); });
    }
    void raise(Segment &segment) { signal_.emit(segment); }

  private:
    sigc::signal<void(Segment &)> signal_;
};
