// tests: that a function is not to be inlined does not forbid a copy of its code for what a layer's facts lead to; the function itself stays.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: store i32
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

__attribute__((noinline)) int put_in_memory(struct handle *handle, int value) {
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
