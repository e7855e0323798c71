// tests: a local that someone else may read or write stays in memory, though it is copied out.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: store i8 {{%.*}}, ptr %bytes
// CHECK: call void @look(ptr {{.*}}%bytes)
// CHECK: load i{{[0-9]+}}, ptr %bytes
// CHECK: decision 1 applied
#include "byte_sink.h"

void look(char *bytes);

void send(struct handle *handle, unsigned value, size_t size) {
    void (*const put)(struct handle *, const char *, size_t) = handle->operations->put;
    char *const place = handle->place;
    char bytes[8];
    bytes[0] = (char)value;
    look(bytes);
    handle->place = place;
    put(handle, bytes, size);
}
