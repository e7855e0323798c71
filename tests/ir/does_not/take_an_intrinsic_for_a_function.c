// tests: LLVM's own functions have no address: as a target they are refused; a list's context is not looked at.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = llvm.trap
// PLAN: 2 merge raise_all/0 = first@llvm.trap
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK: decision 1 refused
// CHECK: decision 2 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    if (count < 0)
        __builtin_trap();
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
