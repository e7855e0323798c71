// tests: whether an event has handlers is asked before a call that may bind one: a line that fits afterwards is not run where there was none.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_current/0 = first
#include "pointed_raise.h"

static struct event current;
void first(void *context, int argument);
void tell(int argument);
const void *known[] = {(const void *)first, &current};

// CHECK-LABEL: define {{.*}}void @raise_current(
// CHECK: call void @tell(
// CHECK-NEXT: icmp eq ptr
// CHECK-NEXT: br i1
// CHECK: load i32, ptr {{.*}}@current
// CHECK: call void @first(
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_current(int argument) {
    const thalweg_slot *begin = current.core.slots, *end = current.core.slots_end;
    tell(argument);
    if (begin != end)
        raise_not_empty(&current.core, argument);
}
