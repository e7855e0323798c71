// tests: a handler that is no function of this program stays a call through the list, in its place in the line; what comes behind it is tested
// behind it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first elsewhere second
#include "list.h"

int *at;
void first(void *context, int argument) { *(int *)context += argument; }
void second(void *context, int argument) { *(int *)context -= argument; }
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq ptr %{{[0-9a-z.]+}}, @first
// CHECK: call void %{{[0-9a-z.]+}}(ptr
// CHECK: icmp eq ptr %{{[0-9a-z.]+}}, @second
// CHECK: {{^}}}
// CHECK: decision 1 applied: 2 targets merged into a straight line in raise_all; called through the list, as no functions of this program: elsewhere
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
