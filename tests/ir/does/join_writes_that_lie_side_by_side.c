// tests: two writes become one in {{[a-z]+}} where the file may be written so; else, and after it has not written all, they are made one by one.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK: [[FILE:@thalweg.file.1]] = internal global [2 x i64] zeroinitializer
// CHECK-LABEL: define {{.*}} @put(
// CHECK: [[MAY:%.*]] = call i1 @thalweg_crossing_may_gather(ptr [[FILE]], i32 %file, ptr null)
// CHECK: br i1 [[MAY]], label %[[TRY:[^ ]+]], label %[[ORIGINAL:[^ ]+]]
// CHECK: [[ORIGINAL]]:
// CHECK: call i64 @thalweg_crossing_written_of(ptr [[WRITTEN:%.*]], i64 4)
// CHECK: call i64 @pwrite(
// CHECK: call i64 @thalweg_crossing_written_of(ptr [[WRITTEN]], i64 %size)
// CHECK: call i64 @pwrite(
// CHECK: phi i64 [ %size, %[[ALL:[^ ]+]] ]
// CHECK: br label %[[ORIGINAL]]
// CHECK: [[TRY]]:
// CHECK-NOT: call i64 @pwrite(
// CHECK: icmp eq i64 %{{.*}}, %{{.*}}
// CHECK: [[ALL]]:
// CHECK: [[DONE:%.*]] = call i1 @thalweg_crossing_gather(i32 %file, ptr %{{.*}}, i32 2, i64 %offset, ptr [[WRITTEN]])
// CHECK: br i1 [[DONE]], label
// CHECK: decision 1 applied: 2 calls of pwrite become one in {{[a-z]+}} where the file is an ordinary one
#include "put_parts.h"
