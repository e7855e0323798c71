// benchmarks: a vector of std::function.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "segment.h"

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        listeners_.push_back([state](Segment &segment) { handler(*state, segment); });
    }
    void raise(Segment &segment) {
        for (const auto &listener : listeners_) {
            listener(segment);
        }
    }

  private:
    std::vector<std::function<void(Segment &)>> listeners_;
};
