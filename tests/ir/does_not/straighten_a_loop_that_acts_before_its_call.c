// tests: an iteration that has done something before its call cannot be begun again: the loop stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
extern volatile int rounds;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 1 refused: its loop has effects before the call
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        ++rounds;
        list[i].function(list[i].context, argument);
    }
}
