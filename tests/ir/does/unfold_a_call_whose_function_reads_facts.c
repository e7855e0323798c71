// tests: a call that is given nothing known is unfolded all the same where its function reads what the layer's facts are about.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : load send/0:4 = 1 ; load put/0:4 = 1
// CHECK-LABEL: define {{.*}} @send(
// CHECK: mul {{.*}}, 3
// CHECK: decision 1 applied: 1 calls unfolded, 0 of them through pointers
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
