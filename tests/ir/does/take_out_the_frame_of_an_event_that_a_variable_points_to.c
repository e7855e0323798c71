// tests: setting a frame to zero and a frame's lifetime have no type that keeps them apart from the event; they are, though.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_current/0 = add@first
#include "pointed_raise.h"
int first;
void add(void *context, int by) { *(int *)context += by; }
struct event *current;
void set_current(struct event *event) { current = event; }
// CHECK-LABEL: define {{.*}}void @raise_current(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1 {{.*}}, label %[[LINE:[a-z0-9.]*]], label
// CHECK: {{^}}[[LINE]]:
// CHECK-NOT: store ptr
// CHECK-NOT: call void @llvm.memset
// CHECK: store i32 {{.*}}, ptr @first
// CHECK-NOT: store ptr
// CHECK: br label
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_current(int argument) { raise_event(current, argument); }
