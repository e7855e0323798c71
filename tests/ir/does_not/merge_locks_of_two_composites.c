// tests: two handlers under two composites: each is locked for its own handler, and unlocked after it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include <thalweg/abi.h>

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @thalweg_composite_lock(ptr {{.*}}[[ONE:%[^)]*]])
// CHECK: call void @first(
// CHECK: call void @thalweg_composite_unlock(ptr {{.*}}[[ONE]])
// CHECK: call void @thalweg_composite_lock(ptr {{.*}}[[OTHER:%[^)]*]])
// CHECK: call void @second(
// CHECK: call void @thalweg_composite_unlock(ptr {{.*}}[[OTHER]])
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(thalweg_core *core, int argument) {
    if (core->slots == core->slots_end)
        return;
    thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        struct thalweg_composite *own = (struct thalweg_composite *)slot->context;
        thalweg_composite_lock(own);
        ((void (*)(void *, int))slot->function)(slot->context, argument);
        thalweg_composite_unlock(own);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
