// tests: a recorded fact whose one test decides two branches is worth its code.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send growth=1000 : load send/0:4 = 1
// CHECK-LABEL: define {{.*}} @send(
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: decision 1 applied: 0 calls unfolded, 0 of them through pointers; 2 branches decided; 1 facts tested
#include "sender.h"
