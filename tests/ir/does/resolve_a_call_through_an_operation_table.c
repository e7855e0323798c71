// tests: a fact about a handle's operation table is tested once, and the layer behind it is unfolded: no call is left where it holds.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: [[READ:%.*]] = load ptr, ptr %handle
// CHECK-NEXT: [[TABLE:%.*]] = freeze ptr [[READ]]
// CHECK-NEXT: [[HOLDS:%.*]] = icmp eq ptr [[TABLE]], @memory_operations
// CHECK-NEXT: br i1 [[HOLDS]], label %[[YES:.*]], label
// CHECK: [[YES]]:
// CHECK-NOT: call i32
// CHECK: ret i32 1
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
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

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
