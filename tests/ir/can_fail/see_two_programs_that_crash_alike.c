// tests: a program that crashes as its original does has shown nothing, and one that ends with another code than it is to end with.
// RUN: not %run %s 2>&1 | %check %s
// RUN: sed 's/abort()/exit(3)/' %s > %t.c
// RUN: not %run %t.c 2>&1 | %check --check-prefix=CODE %s
// RUN: echo '// EXIT: 3' >> %t.c
// RUN: %run %t.c
// PLAN: 1 merge raise_all/0 = first second
// CHECK: the original ended with -6, not with 0
// CODE: the original ended with 3, not with 0
#include <stdlib.h>

#include "list.h"

__attribute__((noinline)) void first(void *context, int argument) { *(int *)context += argument; }
__attribute__((noinline)) void second(void *context, int argument) { *(int *)context -= argument; }
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
int main(void) {
    int sum = 0;
    const struct entry list[2] = {{first, &sum}, {second, &sum}};
    raise_all(list, 2, 1);
    abort();
}
