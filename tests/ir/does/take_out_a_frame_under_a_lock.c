// tests: who takes a composite's lock sees no frame, and changes none; what the handlers share is read after it, though.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@sum
#include "locked_raise.h"
long sum;
void add(void *context, int by) { *(long *)context += by; }
thalweg_core event;
struct thalweg_composite *composite;
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1 {{.*}}, label %[[LINE:[a-z0-9.]*]], label
// CHECK: {{^}}[[LINE]]:
// CHECK-NOT: store ptr
// CHECK: call void @thalweg_composite_lock
// CHECK: load i64, ptr @sum
// CHECK: store i64 {{.*}}, ptr @sum
// CHECK-NOT: store ptr
// CHECK: call void @thalweg_composite_unlock
// CHECK-NOT: store ptr
// CHECK: br label
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(int argument) { locked_raise(&event, composite, argument); }
