// tests: a list in a list: what is left of an iteration of the inner one, when its line is made, is no call of the outer one's.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first#0 second#1
// PLAN: 2 merge raise_all/1 = third
#include "list.h"

void first(void *context, int argument), second(void *context, int argument), third(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second, (const void *)third};
extern volatile int rounds;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @third(
// CHECK: call void @second(
// CHECK: {{^}}}
// CHECK: decision 1 applied: 2 targets merged
// CHECK: decision 2 applied: 1 targets merged
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *inner, long count,
                                         int argument) {
    for (long i = 0; i < count; ++i) {
        list[i].function(list[i].context, argument);
        for (long k = 0; k < argument; ++k) {
            ++rounds;
            inner[k].function(inner[k].context, argument);
        }
        list[i].function(list[i].context, argument + 1);
    }
}
