// tests: a local of two registers' size that is filled at places known at run time only stays in memory: to put a byte into a pair of
// registers would take longer.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq ptr {{%.*}}, @memory_operations
// CHECK: getelementptr inbounds [12 x i8], ptr %bytes
// CHECK-NEXT: store i8
// CHECK: load i32, ptr %bytes
// CHECK: decision 1 applied
#define ROOM 12
#include "filled_buffer.h"
