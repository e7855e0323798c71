// tests: a raise whose bindings change between two handlers that share one lock gives the lock back before it leaves.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "locked_raise.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: br i1 {{.*}}, label %{{[^,]*}}, label %[[CHANGED:[^,]*]], !prof
// CHECK: {{^}}[[CHANGED]]:
// CHECK-NEXT: call void @thalweg_composite_unlock(
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(thalweg_core *core, struct thalweg_composite *composite, int argument) {
    locked_raise(core, composite, argument);
}
