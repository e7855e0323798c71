// tests: a variable that others know the address of may be what an iteration reads before it fills that variable: begun again, it would read
// another value. The loop stays as it is.
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
    int rounds;
    seen_by(&rounds);
    for (long i = 0; i < count; ++i) {
        rounds = *(int *)list[i].context + 1;
        list[i].function(list[i].context, argument);
    }
}
