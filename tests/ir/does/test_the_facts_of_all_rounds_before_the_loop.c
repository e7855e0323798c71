// tests: where a loop's objects are set up just before it, the facts that its rounds need are tested before that: no round stands apart.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize operate : load transfer/1:4 from operate/0 = 1 ; load transfer/2:4 from operate/0 = 0 ; load transfer/1:4 from operate/1 = 0 ; load transfer/2:4 from operate/1 = 1
// One swap of bytes: that of the loop.
// CHECK-LABEL: define {{.*}} @operate(
// CHECK: store ptr %values
// CHECK: @llvm.bswap
// CHECK-NOT: @llvm.bswap
// CHECK: {{^}}}
// CHECK: decision 1 applied: {{.*}} 4 facts tested
#include "pair.h"
