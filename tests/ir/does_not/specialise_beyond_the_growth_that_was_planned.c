// tests: a layer that is above what the plan allows even with the facts that have a single value stays as it was, and that is said.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send growth=20 : load send/0 = @memory_operations ; load put_in_memory/0:4 = 2 | 1 | 0
// CHECK-LABEL: define {{.*}} @send(
// CHECK-NOT: icmp
// CHECK: {{^}}}
// CHECK: decision 1 refused: given up: it would have {{[0-9]+}} instructions, at most 20 are allowed
#include "handle.h"

int put_in_memory(struct handle *handle, int value) { return put_by_mode(handle, value); }
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
