// tests: errno is a variable of the thread too, and a function of the C library says where it lies.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: call i32 %
// CHECK: decision 1 {{.*}}put_in_memory is still called: its author forbids to inline it, or its caller, and it asks where a variable of its thread lies
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

#include <errno.h>
__attribute__((noinline)) int put_in_memory(struct handle *handle, int value) {
    errno = value;
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
