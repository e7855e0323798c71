// benchmarks: a vector of std::function that take two of the segment's numbers by value, as a message's fields are passed. std::function
// hands them on by reference: the caller writes them to its stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "frameworks/list_of.h"
#include "segment.h"

template <size_t>
class EventType : public ListOf<std::function<void(uint64_t, uint32_t, Segment *)>> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        // The handler reads them in the segment, where they are the same: a number that came through wrong shows in its state.
        add([state](uint64_t word, uint32_t sequence, Segment *segment) {
            segment->word = word;
            segment->sequence = sequence;
            handler(*state, *segment);
        });
    }
};
