// benchmarks: GObject signals.
#pragma once

#include <cstddef>

#include <glib-object.h>

#include "segment.h"

// One type with one signal, one object an event.
inline guint segment_signal() {
    static const guint signal = g_signal_new("segment", G_TYPE_OBJECT, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr,
                                             g_cclosure_marshal_VOID__POINTER, G_TYPE_NONE, 1, G_TYPE_POINTER);
    return signal;
}

template <size_t>
class EventType {
  public:
    explicit EventType(const char *)
        : object_(static_cast<GObject *>(g_object_new(G_TYPE_OBJECT, nullptr))), signal_(segment_signal()) {}
    template <auto handler, class State>
    void bind(State *state) {
        void (*callback)(GObject *, Segment *, void *) = [](GObject *, Segment *segment, void *context) {
            handler(*static_cast<State *>(context), *segment);
        };
        g_signal_connect(object_, "segment", reinterpret_cast<GCallback>(callback), state);
    }
    void raise(Segment &segment) { g_signal_emit(object_, signal_, 0, &segment); }

  private:
    GObject *object_;
    guint signal_;
};
