// tests: a raise as the runtime's C interface writes it: the composite's lock is held around each handler.
#pragma once
#include <thalweg/abi.h>

static inline __attribute__((always_inline)) void locked_raise(thalweg_core *core, struct thalweg_composite *composite,
                                                               int argument) {
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        thalweg_composite_lock(composite);
        ((void (*)(void *, int))slot->function)(slot->context, argument);
        thalweg_composite_unlock(composite);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
