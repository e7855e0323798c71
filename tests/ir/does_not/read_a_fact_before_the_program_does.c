// tests: a fact is read where the program reads it, not on entry: what is behind a null pointer stays unread.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK-NOT: load
// CHECK: icmp eq ptr %handle, null
// CHECK: br i1
// CHECK: load ptr, ptr %handle
// CHECK: decision 1 applied
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

int put_in_memory(struct handle *handle, int value) {
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle == 0 ? -1 : handle->operations->put(handle, value); }
