// tests: between two handlers of a line nobody unlocks the composite and locks it again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "locked_raise.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// The line's lock and the loop's, and no third.
// CHECK: call void @thalweg_composite_lock(
// CHECK: call void @first(
// CHECK-NOT: call void @thalweg_composite_{{(lock|unlock)}}(
// CHECK: call void @second(
// CHECK: call void @thalweg_composite_unlock(
// CHECK: call void @thalweg_composite_lock(
// CHECK-NOT: call void @thalweg_composite_lock(
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(thalweg_core *core, struct thalweg_composite *composite, int argument) {
    locked_raise(core, composite, argument);
}
