// tests: what a byte chooses from a table lies in the table: the test before the loop is that the handle lies on either side of it, and not below it,
// where no block of the heap is.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK-NOT: icmp ule i64 {{.*}}, ptrtoint (ptr @table to i64)
// CHECK: icmp ult i64 {{.*}}
// CHECK-LABEL: {{^}}}
// CHECK: decision 1 applied: {{.*}} 1 loops with one test for all that they touch
#define WRITTEN unsigned char
#define VALUE unsigned char
#include "writing_handle.h"

unsigned char table[256] = {3, 1, 2};

void put_in_memory(struct handle *handle, unsigned char value) { put_next(handle, table[value]); }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, const unsigned char *values, int count) {
    handle->operations->put(handle, (unsigned char)count);
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
