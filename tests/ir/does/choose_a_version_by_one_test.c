// tests: a fact with two values makes two versions, and the value that is read for it chooses; a third goes on generically.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize code : memory code/0:4 0 = 0 | 1
// CHECK-LABEL: define {{.*}} @code(
// CHECK: [[OPERATION:%.*]] = load i32, ptr %handle
// CHECK-NEXT: [[FROZEN:%.*]] = freeze i32 [[OPERATION]]
// CHECK-NEXT: icmp eq i32 [[FROZEN]], 0
// CHECK: icmp eq i32 [[FROZEN]], 1
// CHECK-NOT: load i32, ptr %handle,
// CHECK: decision 1 applied: {{.*}} 2 facts tested
struct handle {
    int operation;
    int *place;
};

int code(struct handle *handle, int *value) {
    switch (handle->operation) {
    case 0:
        *handle->place = *value;
        return 1;
    case 1:
        *value = *handle->place;
        return 1;
    default:
        return 0;
    }
}
