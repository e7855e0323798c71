// tests: none of a layer's facts is read, and the one inside of it can't be made: what the program's own table decides is decided.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize around growth=1000 : load unrelated/0:4 = 5
// PLAN: 2 specialize one parent=1 hash=0x1 : load one/0:4 = 5
// CHECK: decision 1 applied: {{[1-9]}} calls unfolded
// CHECK: decision 2 refused: stale
#include "constant_layer.h"
