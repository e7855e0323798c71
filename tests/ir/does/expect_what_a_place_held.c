// tests: a layer's place kept to two values, as two callers set it; behind a caller that has set it, that one value is tested.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : load send/0 = @memory_operations ; load put_in_memory/0:4 = 1 | 0
// CHECK-LABEL: define {{.*}} @send(
// CHECK-NOT: icmp eq i32 {{.*}}, 1
// CHECK: icmp eq i32 {{.*}}, 0
// CHECK-NOT: icmp eq i32 {{.*}}, 1
// CHECK: {{^}}}
// CHECK: decision 1 applied: 1 calls unfolded
#include "handle.h"

int put_in_memory(struct handle *handle, int value) { return put_by_mode(handle, value); }
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int *elsewhere, int value) {
    handle->mode = 0;
    *elsewhere = 1;
    return handle->operations->put(handle, value);
}
