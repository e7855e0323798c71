// tests: a module for an object of its own holds the specialised function, copies of the static functions and constants that it needs,
// and nothing else of the program; what is external stays the program's.
// RUN: %object %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-NOT: @forgotten
// CHECK: @memory_operations = external {{.*}}constant
// CHECK-NOT: @forgotten
// CHECK: declare {{.*}}void @report(
// CHECK: define internal {{.*}} @weigh(
// CHECK: define i32 @alone(
// CHECK: call {{.*}} @weigh(
// CHECK-NOT: @send(
// CHECK: decision 1 applied
// CHECK: symbol: alone
// CHECK: prototype: int32_t alone(void *arg0, int32_t arg1)
// CHECK: from_debug_info: False
// CHECK: copies: ['weigh', 'weights']
// CHECK: externals: ['memory_operations', 'report', 'wanted']
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};

static const int weights[4] = {1, 10, 100, 1000};
int wanted = 3;
int forgotten = 5;
__attribute__((noinline)) void report(int weight) { forgotten = weight; }
__attribute__((noinline)) static int weigh(int value) { return weights[value & 3] * value; }

int put_in_memory(struct handle *handle, int value) {
    *handle->place = weigh(value) + wanted;
    report(value);
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
