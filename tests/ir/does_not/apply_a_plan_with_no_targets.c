// tests: a decision without a target is refused.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 =
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};
int variable;
_Thread_local int own;

// CHECK: refused as a whole: {{.*}}plan: decision 1: it applies but has no targets
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
