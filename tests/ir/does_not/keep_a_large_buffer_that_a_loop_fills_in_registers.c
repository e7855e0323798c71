// tests: a local of two registers' size that is filled at places known at run time only stays in memory: to put a byte into a pair of
// registers would take longer.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: getelementptr inbounds [12 x i8], ptr %bytes
// CHECK-NEXT: store i8
// CHECK: load i32, ptr %bytes
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
    char bytes[12];
    size_t size = 0;
    while (value != 0) {
        bytes[size++] = (char)value;
        value >>= 7;
    }
    put(handle, bytes, size);
}
