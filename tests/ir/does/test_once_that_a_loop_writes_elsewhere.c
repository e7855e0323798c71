// tests: a loop that writes through a pointer is tested once not to hit the handle; in it the handle's table is not looked at again.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp ule i64
// CHECK: br i1 {{.*}}, label %[[APART:.*]], label
// CHECK: [[APART]]:
// CHECK: store i32 {{.*}} !noalias
// CHECK: decision 1 applied: {{.*}} 1 loops with one test for all that they touch
struct handle;
struct operations {
    void (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

void put_in_memory(struct handle *handle, int value) {
    *handle->place = value;
    handle->place += 1;
}
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, const int *values, int count) {
    handle->operations->put(handle, count);
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
