// benchmarks: three events of one composite. Arguments are marshalled, and a lock is held around each handler.
#pragma once

#include <thalweg/thalweg.h>

#include "work.h"

extern thalweg_event *adapt;
extern thalweg_event *seg_from_user;
extern thalweg_event *seg_to_net;

// The segment, its length and its place in the stream, as the paper's handlers get them.
inline void raise_segment(thalweg_event *event, Segment &segment) {
    THALWEG_RAISE(event, thalweg_pointer(&segment), thalweg_integer(segment.length), thalweg_integer(segment.sequence));
}

// One for each handler, in the handler's own translation unit.
struct Registered {
    void (*bind)();
    uint64_t (*digest)();
};
#define HANDLER(event, handler, raises) extern const Registered registered_##handler;
#include "handlers.def"
