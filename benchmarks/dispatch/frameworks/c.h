// benchmarks: Thalweg's C interface.
#pragma once

#include <cstddef>

#include <thalweg/thalweg.h>

#include "segment.h"

template <size_t>
class EventType {
  public:
    explicit EventType(const char *name) { thalweg_event_create(nullptr, name, &event_); }
    template <auto handler, class State>
    void bind(State *state) {
        thalweg_bind(event_, on_event<handler, State>, state, 0, nullptr);
    }
    void raise(Segment &segment) { THALWEG_RAISE(event_, thalweg_pointer(&segment)); }

  private:
    template <auto handler, class State>
    static void on_event(void *context, thalweg_event *, const thalweg_value *arguments, size_t count) {
        void *segment = nullptr;
        if (thalweg_get_pointer(arguments, count, 0, &segment)) {
            handler(*static_cast<State *>(context), *static_cast<Segment *>(segment));
        }
    }
    thalweg_event *event_ = nullptr;
};
