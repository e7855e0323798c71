// tests: 16 bytes are compared with those of the last computation; where they are the same, its 176 bytes are handed out.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache set_key
// CHECK-LABEL: define {{.*}} @set_key(
// CHECK: thalweg.compare{{[0-9]+}}:
// CHECK: call i32 @memcmp({{.*}}, i64 16)
// CHECK: thalweg.kept:
// CHECK-NOT: call void @set_key
// CHECK: call void @llvm.memcpy{{.*}}, i64 176, i1 false)
// CHECK: thalweg.computes:
// CHECK: call void @llvm.memcpy{{.*}}, i64 16, i1 false)
// CHECK: call void @set_key.thalweg.computed(
// CHECK: call void @llvm.memcpy{{.*}}, i64 176, i1 false)
// CHECK: decision 1 applied: 16 bytes of inputs are compared, 176 bytes of results kept
#include "key_schedule.h"
