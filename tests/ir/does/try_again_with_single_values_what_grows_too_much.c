// tests: a layer that would grow above what the plan allows is made once more, with the facts that have a single value.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send growth=30 : load send/0 = @memory_operations ; load put_in_memory/0:4 = 2 | 1 | 0
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{.*}}, @memory_operations
// CHECK-NOT: icmp eq i32
// CHECK: switch i32
// CHECK-NOT: icmp eq i32
// CHECK: {{^}}}
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers; 0 branches decided; 1 facts tested
#include "handle.h"

int put_in_memory(struct handle *handle, int value) { return put_by_mode(handle, value); }
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
