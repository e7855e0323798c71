// tests: between the load of an event's pointer and the raise the variable may be pointed elsewhere: its word says nothing of
// the event that is raised, and that event is asked itself.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_stored/0 = first
// PLAN: 2 merge raise_called/0 = first
// PLAN: 3 merge raise_in_a_loop/0 = first
#include "pointed_raise.h"

static struct event *current;
void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
void somewhere_else(void);
__attribute__((noinline)) void point(struct event *to) { current = to; }

// CHECK-NOT: @thalweg.group
// CHECK-LABEL: define {{.*}}void @raise_stored(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @first(
__attribute__((noinline)) void raise_stored(struct event *to, int argument) {
    struct event *now = current;
    current = to;
    raise_event(now, argument);
}
// CHECK-LABEL: define {{.*}}void @raise_called(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @first(
__attribute__((noinline)) void raise_called(int argument) {
    struct event *now = current;
    somewhere_else();
    raise_event(now, argument);
}
// CHECK-LABEL: define {{.*}}void @raise_in_a_loop(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @first(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
__attribute__((noinline)) void raise_in_a_loop(struct event *to, int argument) {
    struct event *now = current;
    for (int i = 0; i < argument; ++i) {
        raise_event(now, argument);
        current = to;
    }
}
