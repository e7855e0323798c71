// tests: a layer that may throw is unfolded where its caller catches: what throws in it goes to the caller's landing pad, and a landing
// pad of its own, which runs a destructor, stops also what only the caller catches, and hands it on to him without a resume.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @plain_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: br i1 {{.*}}, label %[[YES:.*]], label %[[NO:.*]], !prof
// CHECK: {{^}}[[YES]]:
// CHECK: invoke void @_Z4noteii(i32 noundef 1,
// CHECK-NEXT: to label {{.*}} unwind label %[[OUTER:[a-z0-9]*]]
// CHECK: invoke void @_Z4noteii(i32 noundef 2,
// CHECK-NEXT: to label {{.*}} unwind label %[[INNER:.*]]
// CHECK: {{^}}[[OUTER]]:
// CHECK-NEXT: landingpad
// CHECK-NEXT: catch ptr @_ZTIi
// CHECK-NEXT: br label %[[HANDLER:.*]]
// CHECK: {{^}}[[INNER]]:
// CHECK-NEXT: landingpad
// CHECK-NEXT: cleanup
// CHECK-NEXT: catch ptr @_ZTIi
// CHECK-NEXT: call void @_Z4gonei(
// CHECK-NEXT: br label %[[HANDLER]]
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
struct Handle;
struct Operations {
    int (*put)(Handle *, int);
};
struct Handle {
    const Operations *operations;
};
void note(int which, int value);
void gone(int value) noexcept;

struct Goes {
    int value;
    ~Goes() { gone(value); }
};

extern "C" {
int put_plain(Handle *, int value) {
    note(1, value);
    const Goes goes{value};
    note(2, value);
    return value;
}
extern const Operations plain_operations = {put_plain};

int send(Handle *handle, int value) {
    try {
        return handle->operations->put(handle, value);
    } catch (int thrown) {
        return -thrown;
    }
}
}
