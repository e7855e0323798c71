// tests: another thread may change, under the lock, what lies in one variable with the arguments: it is read after the raise.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@sum
#include <thalweg/abi.h>
#include <thalweg/thalweg.h>
long sum;
void add(void *context, thalweg_core *event, const thalweg_value *arguments, size_t count) {
    *(long *)context += arguments[0].as.integer;
}
thalweg_core event;
struct thalweg_composite *composite;
struct shared {
    thalweg_value arguments[1];
    long changed_by_others;
};
void publish(struct shared *shared);
// CHECK-LABEL: define {{.*}}i64 @raise_all(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1 {{.*}}, label %[[LINE:[a-z0-9.]*]], label
// CHECK: {{^}}[[LINE]]:
// CHECK: call void @thalweg_composite_unlock
// CHECK-NOT: {{^}}  br label
// CHECK: load i64, ptr %changed
// CHECK: ret i64
// CHECK: decision 1 applied
__attribute__((noinline)) long raise_all(long argument) {
    struct shared shared = {{{THALWEG_INTEGER, {argument}}}, 0};
    publish(&shared);
    shared.changed_by_others = 0;
    thalweg_core *core = &event;
    if (core->slots != core->slots_end) {
        thalweg_frame frame = {core->frames, 0, THALWEG_FRAME_UNCHANGED, 0};
        core->frames = &frame;
        thalweg_slot *slot = core->slots, *end = core->slots_end;
        do {
            thalweg_composite_lock(composite);
            ((void (*)(void *, thalweg_core *, const thalweg_value *, size_t))slot->function)(slot->context, core,
                                                                                              shared.arguments, 1);
            thalweg_composite_unlock(composite);
            if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
                thalweg_dispatch_next(core, &frame, slot);
                return 0;
            }
        } while (++slot != end);
        core->frames = frame.next;
    }
    long *changed = &shared.changed_by_others;
    return *changed;
}
