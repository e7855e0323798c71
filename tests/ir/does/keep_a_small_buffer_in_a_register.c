// tests: a local that is filled byte by byte and copied out is a number; nothing is written to the stack to be read again at once.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: [[OTHERS:%[0-9]+]] = and i64 %bytes
// CHECK: [[FILLED:%[0-9]+]] = or i64 [[OTHERS]]
// CHECK: trunc i64 [[FILLED]] to i32
// CHECK: decision 1 applied
#define ROOM 8
#include "filled_buffer.h"
