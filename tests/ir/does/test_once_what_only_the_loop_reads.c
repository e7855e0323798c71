// tests: a loop whose handle is read nowhere before it is guarded like one whose facts are known when it begins.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : load send/0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp ule i64
// CHECK: store i32 {{.*}} !noalias
// CHECK: decision 1 applied: {{.*}} 1 loops with one test for all that they touch
#define WRITTEN int
#define VALUE int
#include "writing_handle.h"

void put_in_memory(struct handle *handle, int value) { put_next(handle, value); }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, const int *values, int count) {
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
