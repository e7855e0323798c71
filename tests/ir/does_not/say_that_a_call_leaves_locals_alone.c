// tests: a tail call of a layer's is none where the layer's caller keeps its local: it may touch it.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK-NOT: tail call void @llvm.memcpy
// CHECK: call void @llvm.memcpy
// CHECK: decision 1 applied
#include "byte_sink.h"

void send(struct handle *handle, unsigned value, size_t size) {
    char bytes[24];
    for (int i = 0; i < 24; ++i)
        bytes[i] = (char)(value >> i);
    handle->operations->put(handle, bytes, size);
}
