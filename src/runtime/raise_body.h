/* runtime: the raise of the C interface, included once as C and once as C++.
 *
 * Twice, because a function that cleans up after an exception is inlined only into code of the same exception tables.
 * Its loops have the shape that the optimiser knows (docs/ARCHITECTURE.md). */
#include "event_layout.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef struct raise_guard {
    thalweg_core *core;
    thalweg_frame *frame;
} raise_guard;

ALWAYS_INLINE void leave_raise(const raise_guard *guard) {
    if (guard->frame->state == THALWEG_FRAME_UNCHANGED) {
        guard->core->frames = guard->frame->next;
        return;
    }
    thalweg_frame_leave(guard->core, guard->frame);
}

ALWAYS_INLINE void unlock(thalweg_composite *const *composite) { thalweg_composite_unlock(*composite); }

ALWAYS_INLINE void call_handler(const thalweg_slot *slot, int locked, thalweg_composite *composite,
                                thalweg_event *event, const thalweg_value *arguments, size_t count) {
    const thalweg_handler handler = (thalweg_handler)slot->function;
    if (!locked) {
        handler(slot->context, event, arguments, count);
        return;
    }
    thalweg_composite_lock(composite);
    thalweg_composite *held __attribute__((cleanup(unlock))) = composite;
    handler(slot->context, event, arguments, count);
}

/* The rest of a raise whose event changed under it. The event itself may be gone. */
static __attribute__((noinline, cold)) void raise_rest(thalweg_event *event, thalweg_frame *frame, thalweg_slot *slot,
                                                       thalweg_composite *composite, const thalweg_value *arguments,
                                                       size_t count) {
    do {
        call_handler(slot, composite != NULL, composite, event, arguments, count);
        slot = thalweg_dispatch_next(&event->core, frame, slot);
    } while (slot);
}

ALWAYS_INLINE void raise_handlers(thalweg_event *event, int locked, thalweg_composite *composite,
                                  const thalweg_value *arguments, size_t count) {
    thalweg_core *core = &event->core;
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, NULL, THALWEG_FRAME_UNCHANGED, 0};
    raise_guard guard __attribute__((cleanup(leave_raise))) = {core, &frame};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        call_handler(slot, locked, composite, event, arguments, count);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            slot = thalweg_dispatch_next(core, &frame, slot);
            if (slot)
                raise_rest(event, &frame, slot, composite, arguments, count);
            return;
        }
    } while (++slot != end);
}

/* A declared event whose arguments were found to be right. */
static __attribute__((noinline)) void raise_declared(thalweg_event *event, const thalweg_value *arguments,
                                                     size_t count) {
    if (event->core.flags & THALWEG_CORE_LOCKED)
        raise_handlers(event, 1, event->composite, arguments, count);
    else
        raise_handlers(event, 0, NULL, arguments, count);
}

/* The first two ways are what a compiled path replaces: tests of the event alone lead to their loops. */
thalweg_status RAISE_NAME(thalweg_event *event, const thalweg_value *arguments, size_t count) {
    if (event && (arguments || count == 0)) {
        const uint32_t kind = event->core.flags & (THALWEG_CORE_TYPED | THALWEG_CORE_DECLARED | THALWEG_CORE_LOCKED);
        if (kind == 0) {
            raise_handlers(event, 0, NULL, arguments, count);
            return THALWEG_OK;
        }
        if (kind == THALWEG_CORE_LOCKED) {
            raise_handlers(event, 1, event->composite, arguments, count);
            return THALWEG_OK;
        }
    }
    int go_on = 0;
    const thalweg_status status = thalweg_raise_checked(event, arguments, count, &go_on);
    if (go_on)
        raise_declared(event, arguments, count);
    return status;
}
