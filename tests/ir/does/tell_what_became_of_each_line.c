// tests: the outcome tells of each line, in all layers, how many of its instructions were evaluated, stay, and test a fact.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize send : argument send/1:4 = 1 ; memory send/0 0 = @memory_operations
// CHECK: ; line put_in_memory:[[@LINE+17]]: evaluated 2 residual 0 tested 0 trusted 0
// CHECK-NEXT: ; line put_in_memory:[[@LINE+17]]: evaluated 1 residual 2 tested 0 trusted 0
// CHECK-NEXT: why: no fact about arg0->8
// CHECK-NEXT: ; line put_in_memory:[[@LINE+18]]: evaluated 1 residual 0 tested 0 trusted 0
// CHECK-NEXT: ; line send:[[@LINE+21]]: evaluated 0 residual 0 tested 1 trusted 0
// CHECK-NEXT: why: arg2 is not assumed: no fact speaks of it
// CHECK-NEXT: ; line send:[[@LINE+21]]: evaluated 2 residual 2 tested 1 trusted 0
struct handle;
struct operations {
    int (*put)(struct handle *, int, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};
void fail(int);
int put_in_memory(struct handle *handle, int encoding, int value) {
    if (encoding == 1)
        *handle->place = value;
    else
        fail(encoding);
    return 1;
}
const struct operations memory_operations = {put_in_memory};

int send(struct handle *handle, int encoding, int value) {
    // the call through the table, which the fact tells
    return handle->operations->put(handle, encoding, value);
}
