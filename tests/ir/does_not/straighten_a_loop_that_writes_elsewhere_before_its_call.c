// tests: what is written to memory that is not the function's own, before the call, others may see: the loop stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
long at;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first
// CHECK: {{^}}}
// CHECK: decision 1 refused: its loop has effects before the call
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        at = i;
        list[i].function(list[i].context, argument);
    }
}
