// benchmarks: a fixed array of callbacks, called one after another without a loop: what PGO can do best by.
#pragma once

#include <cstddef>
#include <utility>

#include "segment.h"

template <size_t size>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        slots_[used_++] = {[](void *context, Segment &segment) { handler(*static_cast<State *>(context), segment); },
                           state};
    }
    void raise(Segment &segment) { raise_each(segment, std::make_index_sequence<size>()); }

  private:
    struct Slot {
        void (*function)(void *context, Segment &segment);
        void *context;
    };
    static void nobody(void *, Segment &) {}
    template <size_t... index>
    void raise_each(Segment &segment, std::index_sequence<index...>) {
        (slots_[index].function(slots_[index].context, segment), ...);
    }
    static constexpr Slot empty = {nobody, nullptr};
    Slot slots_[4] = {empty, empty, empty, empty};
    size_t used_ = 0;
};
