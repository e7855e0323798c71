// tests: another thread may have changed what handlers share until the lock is held: what was read before is read again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@sum
#include "locked_raise.h"
long sum;
void add(void *context, int by) { *(long *)context += by; }
thalweg_core event;
struct thalweg_composite *composite;
void show(long sum);
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: load i64, ptr @sum
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1 {{.*}}, label %[[LINE:[a-z0-9.]*]], label
// CHECK: {{^}}[[LINE]]:
// CHECK: call void @thalweg_composite_lock
// CHECK: load i64, ptr @sum
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(int argument) {
    long before = sum;
    locked_raise(&event, composite, argument);
    show(before);
}
