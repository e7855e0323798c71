// tests: a raise whose arguments are passed as an array on the raiser's stack.
#pragma once
#include <thalweg/abi.h>

struct arguments {
    long values[2];
};

static inline __attribute__((always_inline)) void raise_marshalled(thalweg_core *core, struct arguments *arguments) {
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        ((void (*)(void *, struct arguments *))slot->function)(slot->context, arguments);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
