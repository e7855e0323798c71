// tests: a variable on the stack that is read before it is written has another value when the iteration begins again: the loop
// stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
void seen_by(int *rounds);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first
// CHECK: {{^}}}
// CHECK: decision 1 refused: its loop has effects before the call
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    int rounds = 0;
    seen_by(&rounds);
    for (long i = 0; i < count; ++i) {
        ++rounds;
        list[i].function(list[i].context, argument);
    }
}
