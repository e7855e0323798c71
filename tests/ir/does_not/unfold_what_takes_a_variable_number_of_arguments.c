// tests: a layer that takes a variable number of arguments stays a call, directly now, and the outcome says why; the layer around it does not.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: br i1 {{.*}}, label %[[YES:.*]], label
// CHECK: [[YES]]:
// CHECK: call i32 (ptr, ...) @put_all(ptr {{.*}}, i32 noundef %value, i32 noundef 7)
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers;{{.*}}; put_all is still called: it takes a variable number of arguments
#include <stdarg.h>

struct handle;
struct operations {
    int (*put)(struct handle *, int);
    int (*put_all)(struct handle *, ...);
};
struct handle {
    const struct operations *operations;
    int *place;
};

int put_all(struct handle *handle, ...) {
    va_list values;
    va_start(values, handle);
    for (int i = 0; i < 2; ++i)
        *handle->place++ = va_arg(values, int);
    va_end(values);
    return 2;
}
int put(struct handle *handle, int value) { return handle->operations->put_all(handle, value, 7); }
const struct operations memory_operations = {put, put_all};

int send(struct handle *handle, int value) { return handle->operations->put(handle, value); }
