// tests: a handler whose author said noinline stays a function, and the line has a copy of its code.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add add add
#include "list.h"

int sum;
__attribute__((noinline)) static void add(void *context, int argument) { sum += argument; }
static void (*volatile keep)(void *, int) = add;
void use(void) { keep(0, 1); }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @add(
// CHECK: ret void
// CHECK: attributes
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
