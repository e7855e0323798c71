// tests: where a slot does not hold what was recorded, an iteration that has done something already goes on in the middle of the original's, which
// takes the next one.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
extern volatile int rounds;

// CHECK-LABEL: define {{.*}}void @raise_all(
// The original loop and two iterations of the line count; where they are left, nobody counts again.
// CHECK-COUNT-3: store volatile i32
// CHECK-NOT: store volatile i32
// CHECK: thalweg.rest:
// CHECK-NOT: store volatile i32
// CHECK: call void %{{[0-9a-z.]+}}(ptr
// CHECK-NOT: store volatile i32
// CHECK: {{^}}}
// CHECK: decision 1 applied: 2 targets merged into a straight line
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        ++rounds;
        list[i].function(list[i].context, argument);
    }
}
