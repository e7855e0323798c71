// tests: a list of 65 handlers is not made straight.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first*65
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 1 refused: 65 targets, 1 to 64 are supported
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
