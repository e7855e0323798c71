// tests: a layer that another one holds is made on its own where that one is not.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize outer hash=0x1 : load one/0:4 = 5
// PLAN: 2 specialize one parent=1 : load one/0:4 = 5
// CHECK: decision 1 refused: stale
// CHECK: decision 2 applied
#include "inner_layer.h"
