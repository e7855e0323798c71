// tests: a loop that writes bytes, which may be anyone's, is tested once not to hit the handle; in it the handle's table is not looked at again.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp ule i64
// CHECK: br i1 {{.*}}, label %[[APART:.*]], label
// CHECK: [[APART]]:
// CHECK: store i8 {{.*}} !noalias
// CHECK: decision 1 applied: {{.*}} 1 loops with one test for all that they touch
#define WRITTEN char
#define VALUE char
#include "writing_handle.h"

void put_in_memory(struct handle *handle, char value) { put_next(handle, value); }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, const char *values, int count) {
    handle->operations->put(handle, (char)count);
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
