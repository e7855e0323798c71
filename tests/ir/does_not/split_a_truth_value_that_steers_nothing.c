// tests: what is only counted is no reason for two ways.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{.*}}, @operations
// CHECK-NEXT: br i1
// CHECK: [[LARGE:%.*]] = icmp ugt i32 %value, 100
// CHECK-NEXT: zext i1 [[LARGE]] to i32
// CHECK-NOT: br i1 [[LARGE]]
// CHECK: decision 1 applied
struct handle;
struct operations {
    unsigned (*check)(unsigned);
};
struct handle {
    const struct operations *operations;
    unsigned bad;
};

unsigned check(unsigned value) { return value > 100; }
const struct operations operations = {check};

unsigned send(struct handle *handle, unsigned value) {
    handle->bad += handle->operations->check(value);
    return handle->bad;
}
