// tests: a call that is given nothing known, and whose function reads none of the facts, stays.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : load send/0:4 = 1 ; load send/1:4 = 2
// CHECK-LABEL: define {{.*}} @send(
// CHECK: call {{.*}} @put(
// CHECK: ret i32
// CHECK: decision 1 applied: 0 calls unfolded, 0 of them through pointers; {{.*}} branches decided
struct item {
    int mode, value;
};
struct handle {
    int sends;
    struct item *items;
};

__attribute__((noinline)) int put(struct item *item) {
    return item->mode == 1 ? item->value * 3 : item->value << item->mode;
}

int send(struct handle *handle, int which) {
    if (handle->sends != 1)
        return -1;
    return put(&handle->items[which]);
}
