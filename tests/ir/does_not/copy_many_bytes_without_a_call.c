// tests: copies that no local bounds, or one of more than 16 bytes, are left to the library's function.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize receive : memory receive/0 0 = @memory_operations
// PLAN: 2 specialize pass_on : memory pass_on/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @receive(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: call void @llvm.memcpy{{.*}} i64 %size
// CHECK: call {{.*}} @use
// CHECK-LABEL: define {{.*}} @pass_on(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: call void @llvm.memcpy{{.*}} i64 %size
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include "byte_source.h"

void receive(struct handle *handle, size_t size) {
    char bytes[17];
    handle->operations->take(handle, bytes, size);
    use(bytes);
}

void pass_on(struct handle *handle, char *bytes, size_t size) { handle->operations->take(handle, bytes, size); }
