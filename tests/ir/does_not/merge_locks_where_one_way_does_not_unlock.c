// tests: a raise that keeps the lock when asked to is locked once more for each handler, as it was written.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include <thalweg/abi.h>

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
extern volatile int keep;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @thalweg_composite_unlock(
// CHECK: call void @thalweg_composite_lock(
// CHECK: call void @second(
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(thalweg_core *core, struct thalweg_composite *composite, int argument) {
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        thalweg_composite_lock(composite);
        ((void (*)(void *, int))slot->function)(slot->context, argument);
        if (!keep)
            thalweg_composite_unlock(composite);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
