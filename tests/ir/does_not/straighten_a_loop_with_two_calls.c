// tests: a loop that calls through two pointers an iteration stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 1 refused: its loop has 2 calls through pointers
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *other, long count) {
    for (long i = 0; i < count; ++i) {
        list[i].function(list[i].context, 1);
        other[i].function(other[i].context, 2);
    }
}
