// tests: the word that a raise is tested by answers for all its handlers, so each has to be a function of this program.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first elsewhere
#include "locked_raise.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first(
// CHECK: {{^}}}
// CHECK: decision 1 refused: no function elsewhere in this program
__attribute__((noinline)) void raise_all(thalweg_core *core, struct thalweg_composite *composite, int argument) {
    locked_raise(core, composite, argument);
}
