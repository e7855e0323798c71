// tests: names with any bytes are looked for and not found.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge 'raise "\\ %s {} ä'/0 = first second
// PLAN: 2 merge raise_all/0 = '%n%s"{}\\ä'
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @
// CHECK: {{^}}}
// CHECK: decision 1 refused: no dispatch loop
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
