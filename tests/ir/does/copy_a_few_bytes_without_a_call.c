// tests: how many bytes are copied is known at run time only, but a small local that they go into bounds them: no function is called for them.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize receive : memory receive/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @receive(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK-NOT: call void @llvm.memcpy
// CHECK: icmp uge i64 %size, 8
// CHECK-NOT: call void @llvm.memcpy
// CHECK: icmp uge i64 %size, 1
// CHECK-NOT: call void @llvm.memcpy
// CHECK: call {{.*}} @use
// CHECK: decision 1 applied
#include "byte_source.h"

void receive(struct handle *handle, size_t size) {
    char bytes[12];
    handle->operations->take(handle, bytes, size);
    use(bytes);
}
