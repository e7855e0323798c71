/* runtime: the loop over an event's handlers, of every raise of the C interface; compiled as C and as C++.
 *
 * Twice, because a function that cleans up after an exception is inlined only into code of the same exception tables.
 * It has the shape that the optimiser knows (docs/ARCHITECTURE.md), and names by which a raise's place is told from the runtime's. */
#ifndef THALWEG_RUNTIME_RAISE_LOOP_H
#define THALWEG_RUNTIME_RAISE_LOOP_H

#include "event_layout.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef struct raise_guard {
    thalweg_core *core;
    thalweg_frame *frame;
} raise_guard;

ALWAYS_INLINE void thalweg_leave_raise(const raise_guard *guard) {
    if (guard->frame->state == THALWEG_FRAME_UNCHANGED) {
        guard->core->frames = guard->frame->next;
        return;
    }
    thalweg_frame_leave(guard->core, guard->frame);
}

ALWAYS_INLINE void thalweg_raise_unlock(thalweg_composite *const *composite) { thalweg_composite_unlock(*composite); }

ALWAYS_INLINE void thalweg_call_handler(const thalweg_slot *slot, int locked, thalweg_composite *composite,
                                        thalweg_event *event, const thalweg_value *arguments, size_t count) {
    const thalweg_handler handler = (thalweg_handler)slot->function;
    if (!locked) {
        handler(slot->context, event, arguments, count);
        return;
    }
    thalweg_composite_lock(composite);
    thalweg_composite *held __attribute__((cleanup(thalweg_raise_unlock))) = composite;
    handler(slot->context, event, arguments, count);
}

/* The rest of a raise whose event changed under it. The event itself may be gone. */
static __attribute__((noinline, cold)) void thalweg_raise_rest(thalweg_event *event, thalweg_frame *frame,
                                                               thalweg_slot *slot, thalweg_composite *composite,
                                                               const thalweg_value *arguments, size_t count) {
    do {
        thalweg_call_handler(slot, composite != NULL, composite, event, arguments, count);
        slot = thalweg_dispatch_next(&event->core, frame, slot);
    } while (slot);
}

ALWAYS_INLINE void thalweg_raise_handlers(thalweg_event *event, int locked, thalweg_composite *composite,
                                          const thalweg_value *arguments, size_t count) {
    thalweg_core *core = &event->core;
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, NULL, THALWEG_FRAME_UNCHANGED, 0};
    raise_guard guard __attribute__((cleanup(thalweg_leave_raise))) = {core, &frame};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        thalweg_call_handler(slot, locked, composite, event, arguments, count);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            slot = thalweg_dispatch_next(core, &frame, slot);
            if (slot)
                thalweg_raise_rest(event, &frame, slot, composite, arguments, count);
            return;
        }
    } while (++slot != end);
}
#endif
