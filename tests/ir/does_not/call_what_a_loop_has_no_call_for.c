// tests: a plan that names a call which the loop does not have is refused.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first#0 first#1
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first(
// CHECK: {{^}}}
// CHECK: decision 1 refused: its loop has 1 calls through pointers, the plan names number 1
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
