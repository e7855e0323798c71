// tests: whether a slot is passed over because of what lies beside its function is told by what the program always writes there.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: @thalweg.image = {{.*}} [ptr @gate_one, ptr @first, ptr @gate_two, ptr @second], align 16
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-COUNT-1: call i1 @thalweg.same(
// CHECK-NEXT: br i1
// CHECK-NOT: br i1
// CHECK: store i32
#include "gated_slots.h"
