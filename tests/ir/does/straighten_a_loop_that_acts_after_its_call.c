// tests: what an iteration does after its call is done in the line too, each time.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
extern volatile int rounds;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: store volatile i32
// CHECK: call void @first(
// CHECK: store volatile i32
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        list[i].function(list[i].context, argument);
        ++rounds;
    }
}
