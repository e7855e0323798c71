// tests: a status that comes from a comparison is one of two numbers: the switch that it steers is decided on either way, however late it
// is seen to steer.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp ugt i32 %value, 100
// CHECK-NEXT: freeze i1
// CHECK-NEXT: br i1 {{.*}}, label %[[LARGE:[a-z0-9]+]], label %[[GOOD:[a-z0-9]+]]
// CHECK: [[LARGE]]:
// CHECK-NOT: switch
// CHECK: ret i32 0
// CHECK: [[GOOD]]:
// CHECK-NOT: switch
// CHECK: ret i32 1
// CHECK: decision 1 applied
struct handle;
enum status { GOOD, TOO_LARGE };
struct operations {
    enum status (*check)(unsigned);
};
struct handle {
    const struct operations *operations;
    unsigned good, bad;
};

enum status check(unsigned value) { return value > 100 ? TOO_LARGE : GOOD; }
const struct operations operations = {check};

int send(struct handle *handle, unsigned value) {
    const enum status status = handle->operations->check(value);
    switch (status) {
    case GOOD:
        handle->good += value;
        return 1;
    case TOO_LARGE:
        handle->bad += 1;
        return 0;
    default:
        return -1;
    }
}
