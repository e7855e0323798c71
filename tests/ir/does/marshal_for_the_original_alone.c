// tests: the line has the arguments as values; they are written to memory on the original's side of the test only.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_pair/0 = add@sum
#include "marshalled_raise.h"
long sum;
void add(void *context, struct arguments *arguments) {
    *(long *)context += arguments->values[0] * arguments->values[1];
}
thalweg_core event;
// CHECK-LABEL: define {{.*}}void @raise_pair(
// CHECK-NOT: store i64 %left
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1 {{.*}}, label %[[LINE:[a-z0-9.]*]], label %[[OTHER:[a-z0-9.]*]]
// CHECK-NOT: store i64 %left
// CHECK: {{^}}[[OTHER]]:
// CHECK-NEXT: store i64 %left
// CHECK: {{^}}[[LINE]]:
// CHECK: store i64 {{.*}}, ptr @sum
// CHECK-NOT: store i64 %left
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_pair(long left, long right) {
    struct arguments arguments;
    arguments.values[0] = left;
    arguments.values[1] = right;
    raise_marshalled(&event, &arguments);
}
