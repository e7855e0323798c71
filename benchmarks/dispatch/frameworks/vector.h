// benchmarks: a vector of callbacks, function pointer and context.
#pragma once

#include <cstddef>
#include <vector>

#include "segment.h"

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        callbacks_.push_back(
            {[](void *context, Segment &segment) { handler(*static_cast<State *>(context), segment); }, state});
    }
    void raise(Segment &segment) {
        for (const Callback &callback : callbacks_) {
            callback.function(callback.context, segment);
        }
    }

  private:
    struct Callback {
        void (*function)(void *context, Segment &segment);
        void *context;
    };
    std::vector<Callback> callbacks_;
};
