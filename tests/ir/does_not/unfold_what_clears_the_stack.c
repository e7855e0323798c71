// tests: a function out of line that overwrites what its frame held is not unfolded: the frame would be another.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: call i32 %
// CHECK: decision 1 {{.*}}put_in_memory is still called: its author forbids to inline it, or its caller, and where its own variables lie can be seen
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

__attribute__((noinline)) int put_in_memory(struct handle *handle, int value) {
    volatile char frame[64];
    for (int i = 0; i < 64; ++i)
        frame[i] = 0;
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
