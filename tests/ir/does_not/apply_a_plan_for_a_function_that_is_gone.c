// tests: a decision about a function that is not there is refused in words.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_none/0 = first second
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 1 refused: no dispatch loop number 0 in a function raise_none
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
