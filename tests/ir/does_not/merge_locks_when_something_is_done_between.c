// tests: what is done without the composite's lock between two handlers is not done under it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include <thalweg/abi.h>

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
extern volatile int seen_by_others;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK-NEXT: call void @thalweg_composite_unlock(
// CHECK: store volatile i32 {{.*}} @seen_by_others
// CHECK: call void @thalweg_composite_lock(
// CHECK: call void @second(
// CHECK-NEXT: call void @thalweg_composite_unlock(
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
        thalweg_composite_unlock(composite);
        seen_by_others = argument;
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
