// tests: a layer that is specialised runs in a line; where its fact does not hold, the line is left, and what comes after is called.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = send add
// PLAN: 2 specialize send : memory send/0 0 = @memory_operations
#include "list.h"

struct handle;
struct operations {
    void (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
};
int count;
static void put_in_memory(struct handle *handle, int value) { *handle->place = value; }
const struct operations memory_operations = {put_in_memory};
void send(void *context, int value) {
    struct handle *handle = context;
    handle->operations->put(handle, value);
}
static void add(void *context, int argument) { count += argument; }
struct entry table[] = {{send, 0}, {add, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: [[HOLDS:%.*]] = icmp eq ptr {{.*}}, @memory_operations
// CHECK-NEXT: br i1 [[HOLDS]], label %[[YES:[^,]*]], label
// CHECK: [[YES]]:
// CHECK-NOT: call
// CHECK: store i32 %argument, ptr
// CHECK-NOT: {{call|br i1}}
// CHECK: store i32 {{.*}}, ptr @count
// CHECK: call void {{%[0-9a-z]+}}(
// CHECK: call void @add(
// CHECK: {{^}}}
// CHECK: decision 1 applied
// CHECK: decision 2 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
