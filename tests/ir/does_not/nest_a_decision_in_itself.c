// tests: a decision that is its own parent is refused, with the whole plan.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first
// PLAN: 2 subsume raise_all/0 in 2.0 = first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK: refused as a whole: {{.*}}decision 2 is among its own parents
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
