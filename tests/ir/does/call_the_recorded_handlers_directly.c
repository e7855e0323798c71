// tests: the recorded handlers are called by their names, in their order.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @second(
// CHECK: decision 1 applied: 2 targets
__attribute__((noinline)) void raise_all(struct entry *list, int count, int argument) {
    for (int i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
