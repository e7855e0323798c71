// tests: the direct call is reached only over a test of what the list holds.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first(
// CHECK: icmp {{eq|ne}} ptr {{.*}}, @first
// CHECK-NOT: call void @first(
// CHECK: br i1
// CHECK: call void @first(
__attribute__((noinline)) void raise_all(struct entry *list, int count, int argument) {
    for (int i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
