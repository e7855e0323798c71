// tests: whether the results lie apart from the inputs is tested before anything is compared.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache set_key
// CHECK-LABEL: define {{.*}} @set_key(
// CHECK: add i64 [[RESULTS:%.*]], 176
// CHECK: add i64 [[INPUTS:%.*]], 16
// CHECK: icmp ule i64
// CHECK: br i1 {{.*}}, label %thalweg.usable, label %thalweg.plain
// CHECK: thalweg.plain:
// CHECK-NEXT: call void @set_key.thalweg.computed(
// CHECK-NEXT: ret void
#include "key_schedule.h"
