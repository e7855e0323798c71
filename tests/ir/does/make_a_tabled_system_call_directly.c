// tests: a call through a table is tested for the system call that the table holds at first, and is counted where it is made directly.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @write_file(
// CHECK: [[IS:%.*]] = icmp eq ptr [[CALL:%.*]], @pwrite
// CHECK: br i1 [[IS]],
// CHECK: call i64 @pwrite(
// CHECK: call i64 [[CALL]](
// CHECK: "callee":{{ ?}}"pwrite"
#include "file_methods.h"
const struct methods *the_methods(int which) { return &all_methods[which]; }
