// tests: how many bytes are copied is one number or another by a decision of the program's: each way copies its own.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: call void @llvm.memcpy{{.*}}, i64 41,
// CHECK-NOT: @llvm.memcpy{{.*}}, i64 %
// CHECK: call void @llvm.memcpy{{.*}}, i64 73,
// CHECK-NOT: @llvm.memcpy{{.*}}, i64 %
// CHECK: decision 1 applied
#include <stddef.h>
#include <string.h>
struct handle;
struct operations {
    void (*put)(struct handle *, const char *, size_t);
};
struct handle {
    const struct operations *operations;
    char *place;
};

__attribute__((always_inline)) static inline size_t size_of(int kind) { return kind == 7 ? 40 : 72; }
void put_in_memory(struct handle *handle, const char *bytes, size_t size) { memcpy(handle->place, bytes, size + 1); }
const struct operations memory_operations = {put_in_memory};

void send(struct handle *handle, int kind, const char *bytes) {
    void (*const put)(struct handle *, const char *, size_t) = handle->operations->put;
    put(handle, bytes, size_of(kind));
}
