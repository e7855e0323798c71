// tests: when the caller has written something else into the place since, all that it kept to is tested.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : load send/0 = @memory_operations ; load put_in_memory/0:4 = 1 | 0
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: icmp eq i32 {{.*}}, 0
// CHECK: {{^}}}
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers; 2 branches decided; 3 facts tested
#include "handle.h"

int put_in_memory(struct handle *handle, int value) { return put_by_mode(handle, value); }
const struct operations memory_operations = {put_in_memory};

void look_at(const struct handle *handle);

int send(struct handle *handle, int value) {
    handle->mode = 0;
    look_at(handle);
    handle->mode = value;
    return handle->operations->put(handle, value);
}
