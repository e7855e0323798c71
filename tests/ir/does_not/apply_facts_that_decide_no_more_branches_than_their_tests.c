// tests: where recorded facts only take the place of the branches that they decide, nothing is gained and the function stays as it was.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send growth=1000 : load send/0:4 = 1 | 0
// CHECK-LABEL: define {{.*}} @send(
// CHECK-NOT: icmp
// CHECK: switch i32
// CHECK: {{^}}}
// CHECK: decision 1 refused: its facts decide no more branches than their tests are
#include "handle.h"

int send(struct handle *handle, int value) { return put_by_mode(handle, value); }
