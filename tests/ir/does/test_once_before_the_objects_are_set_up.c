// tests: the test that a loop's objects lie apart stands before the stores that set them up, and the pointers to them are loaded for it.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize operate : load transfer/1:4 from operate/0 = 1 ; load transfer/2:4 from operate/0 = 0 ; load transfer/1:4 from operate/1 = 0 ; load transfer/2:4 from operate/1 = 1
// CHECK-LABEL: define {{.*}} @operate(
// CHECK-NOT: store
// CHECK: load ptr, ptr %pair
// CHECK-NOT: store
// CHECK: load ptr, ptr
// CHECK-NOT: store
// CHECK: {{^}}[[WAY:[^:]+]]: {{.*}}; preds = %[[TEST:[^ ,]+]]{{$}}
// CHECK: store ptr %values
// CHECK: {{^}}[[TEST]]:
// CHECK: icmp ule i64
// CHECK: br i1 %{{.*}}, label %[[WAY]]
// CHECK: {{^}}}
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
#include "pair.h"
