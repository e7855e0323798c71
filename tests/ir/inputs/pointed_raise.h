// tests: a raise of an event that a variable points to, which may be null.
#pragma once
#include <thalweg/abi.h>
#include <thalweg/thalweg.h>

struct event {
    thalweg_core core;
};

static inline __attribute__((always_inline)) void raise_not_empty(thalweg_core *core, int argument) {
    thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        ((void (*)(void *, int))slot->function)(slot->context, argument);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}

static inline __attribute__((always_inline)) void raise_event(struct event *event, int argument) {
    if (event && event->core.slots != event->core.slots_end)
        raise_not_empty(&event->core, argument);
}
