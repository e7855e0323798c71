// tests: a decision without a target is refused, and the others of its plan are applied.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 =
// PLAN: 2 merge raise_all/0 = first
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK: decision 1 refused: the plan names no targets or no place for it
// CHECK: decision 2 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
