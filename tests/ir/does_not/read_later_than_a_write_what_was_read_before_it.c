// tests: whether an event has handlers is asked where the lines do not fit, but of what was read before the program wrote something.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_current/0 = first
#include "pointed_raise.h"

static struct event current;
void first(void *context, int argument);
const void *known[] = {(const void *)first, &current};

// CHECK-LABEL: define {{.*}}void @raise_current(
// CHECK: load ptr, ptr @current
// CHECK-NEXT: load ptr, ptr {{.*}}@current
// CHECK-NEXT: store ptr {{.*}}, ptr %place
// CHECK-NEXT: load i32, ptr {{.*}}@current
// CHECK-NEXT: icmp
// CHECK-NEXT: br i1
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_current(void **place, void *value, int argument) {
    const thalweg_slot *begin = current.core.slots, *end = current.core.slots_end;
    *place = value;
    if (begin != end)
        raise_not_empty(&current.core, argument);
}
