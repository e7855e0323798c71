// tests: a layer that another one holds is not made a second time, nor one inside of it.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize outer : load one/0:4 = 5
// PLAN: 2 specialize one parent=1 : load one/0:4 = 5
// PLAN: 3 specialize outer parent=2 : load one/0:4 = 5
// CHECK: decision 1 applied
// CHECK: decision 2 refused: it is made on its own only where decision 1 can't be; that one is
// CHECK: decision 3 refused: it is made on its own only where decision 1 can't be; that one is
#include "inner_layer.h"
