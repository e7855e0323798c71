// tests: assembler in a function out of line may stand on its frame: it is not unfolded.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: call i32 %
// CHECK: decision 1 {{.*}}put_in_memory is still called: its author forbids to inline it, or its caller, and it has assembler in it
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

__attribute__((noinline)) int put_in_memory(struct handle *handle, int value) {
    __asm__ volatile("" : : "r"(handle) : "memory");
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
