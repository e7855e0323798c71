// tests: what a function out of line called stays called where its code is copied, and does not become part of the caller that is left.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: call {{.*}} @note(i32 {{.*}}) #[[APART:[0-9]+]]
// CHECK: attributes #[[APART]] = {{.*}}noinline
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

void note(int value);
__attribute__((noinline)) int put_in_memory(struct handle *handle, int value) {
    note(value);
    *handle->place = value;
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
