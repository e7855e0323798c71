// tests: a program whose two handlers were exchanged runs differently, and that is seen.
// RUN: %run %s
// RUN: not %run --exchange first,second %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: decision 1 applied
// CHECK-NOT: the same
// CHECK: --- original ended with 0 and wrote
// CHECK-NEXT: first 1
// CHECK: --- optimised ended with 0 and wrote
// CHECK-NEXT: second 1
#include "list.h"
#include "show.h"

// Assembler in a function out of line keeps it there.
#define stay_here() __asm__ volatile("")

__attribute__((noinline)) void first(void *context, int argument) {
    stay_here();
    show("first", argument);
}
__attribute__((noinline)) void second(void *context, int argument) {
    stay_here();
    show("second", argument);
}
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
int main(void) {
    const struct entry list[2] = {{first, 0}, {second, 0}};
    raise_all(list, 2, 1);
}
