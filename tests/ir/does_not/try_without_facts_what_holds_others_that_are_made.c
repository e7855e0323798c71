// tests: none of a layer's facts is read, but the one inside of it is made with its own: the outer one stays as it is.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize around growth=1000 : load unrelated/0:4 = 5
// PLAN: 2 specialize one parent=1 : load one/0:4 = 5
// CHECK: decision 1 refused: none of its facts is read
// CHECK: decision 2 applied
#include "constant_layer.h"
