// tests: the plug-in comes to run by itself at the start of LLVM's pipeline for a whole program.
// RUN: %optimize --passes='lto<O2>' %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @second(
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
