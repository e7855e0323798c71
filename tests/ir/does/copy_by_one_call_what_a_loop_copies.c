// tests: the copy program of the paper: the kernel copies whole blocks before the loop, which then does the rest and sees the end.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: [[FROM:%.*]] = {{.*}}call {{.*}} @open(
// CHECK: [[TO:%.*]] = {{.*}}call {{.*}} @creat(
// CHECK: call i64 @thalweg_crossing_copy(i32 [[FROM]], i32 [[TO]], i64 4096)
// CHECK-NEXT: br label %[[LOOP:.*]]
// CHECK: [[LOOP]]:
// CHECK: call i64 @read(i32 {{.*}}[[FROM]]
// CHECK: call i64 @write(i32 {{.*}}[[TO]]
// CHECK: br label %[[LOOP]]
// CHECK: decision 1 applied: whole blocks of 4096 bytes are copied by the kernel before the loop does the rest
#include "copying_loop.h"
