// tests: what belongs to a line that is not made is not made.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = third
// PLAN: 2 subsume raise_all/0 in 1.0 = first
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 2 refused: the super-handler of decision 1, which it belongs to, is not made
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
