// tests: a local that is filled byte by byte and copied out is a number; nothing is written to the stack to be read again at once.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: [[OTHERS:%[0-9]+]] = and i64 %bytes
// CHECK: [[FILLED:%[0-9]+]] = or i64 [[OTHERS]]
// CHECK: trunc i64 [[FILLED]] to i32
// CHECK: decision 1 applied
#include <stddef.h>
#include <string.h>
struct handle;
struct operations {
    void (*put)(struct handle *, const char *, size_t);
};
struct handle {
    const struct operations *operations;
    char *place;
};

void put_in_memory(struct handle *handle, const char *bytes, size_t size) { memcpy(handle->place, bytes, size); }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, unsigned value) {
    void (*const put)(struct handle *, const char *, size_t) = handle->operations->put;
    char bytes[8];
    size_t size = 0;
    while (value != 0) {
        bytes[size++] = (char)value;
        value >>= 7;
    }
    put(handle, bytes, size);
}
