// tests: a layer that two calls enter with two objects: behind each call the value that was noted of it is tested, and it alone.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize both : load one/0:4 = 5 | 6 ; load one/0:4 from both/0 = 5 ; load one/0:4 from both/1 = 6
#include "inner_layer.h"

int both(struct stream *from, struct stream *to, int value) { return one(to, one(from, value)); }

// CHECK-LABEL: define {{.*}} @both(
// CHECK: icmp eq i32 %{{.*}}, 5
// CHECK-NOT: icmp eq i32 %{{.*}}, 5
// CHECK: icmp eq i32 %{{.*}}, 6
// CHECK-NOT: icmp eq
// CHECK: {{^}}}
// CHECK: decision 1 applied: 2 calls unfolded
