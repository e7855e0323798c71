// tests: after a call that may have changed it, a fact is tested again.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: call void @elsewhere(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: decision 1 applied: {{.*}} 2 facts tested
struct handle;
struct operations {
    void (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

void elsewhere(void);
void put_in_memory(struct handle *handle, int value) { *handle->place = value; }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, int value) {
    handle->operations->put(handle, value);
    elsewhere();
    handle->operations->put(handle, value);
}
