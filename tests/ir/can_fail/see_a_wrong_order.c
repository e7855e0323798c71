// tests: a claim about the wrong order of the handlers, and one about a handler that is not there, are seen to be wrong.
// RUN: %optimize %s | %check %s
// RUN: %optimize %s | not %check --check-prefix=ORDER %s
// RUN: %optimize %s | not %check --check-prefix=OTHER %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @second(
// ORDER-LABEL: define {{.*}}void @raise_all(
// ORDER: call void @second(
// ORDER: call void @first(
// OTHER: call void @third(
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
