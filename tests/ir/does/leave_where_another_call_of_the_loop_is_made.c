// tests: what an iteration did not call when it was recorded it does not call in the line: where it turns to that, it leaves.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first#0 second#1 first#0
#include "list.h"

int asked(void *context, int argument);
void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

struct two {
    void (*always)(void *, int);
    void (*sometimes)(void *, int);
    void *context;
};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @second(
// CHECK: call void @first(
// CHECK-NOT: call void @second(
// CHECK: thalweg.rest
// CHECK: {{^}}}
// CHECK: decision 1 applied: 3 targets merged into a straight line
__attribute__((noinline)) void raise_all(const struct two *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        list[i].always(list[i].context, argument);
        if (list[i].sometimes)
            list[i].sometimes(list[i].context, argument);
    }
}
