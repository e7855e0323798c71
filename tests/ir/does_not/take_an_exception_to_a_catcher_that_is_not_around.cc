// tests: a call in a layer whose caller does not catch stays a call, as does one outside of the caller's try; what a layer says not to throw
// goes to no one.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @plain_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: br i1 {{.*}}, label %[[YES:.*]], label %[[NO:.*]], !prof
// CHECK: {{^}}[[YES]]:
// CHECK: call void @_Z4notei(i32 noundef 1)
// CHECK: call void @_Z5quieti(i32 noundef 2)
// CHECK: invoke void @_Z4notei(i32 noundef 2)
// CHECK: call void @_Z4notei(i32 noundef 3)
// CHECK: ret i32
// CHECK: decision 1 applied: 3 calls unfolded, 3 of them through pointers
struct Handle;
struct Operations {
    int (*put)(Handle *, int);
};
struct Handle {
    const Operations *operations;
};
void note(int which);
void quiet(int which) noexcept;

extern "C" {
int put_plain(Handle *, int which) {
    if (which == 2)
        quiet(which);
    note(which);
    return which;
}
extern const Operations plain_operations = {put_plain};

int send(Handle *handle) {
    const Operations *operations = handle->operations;
    int sum = operations->put(handle, 1);
    try {
        sum += operations->put(handle, 2);
    } catch (int thrown) {
        sum = -thrown;
    }
    return sum + operations->put(handle, 3);
}
}
