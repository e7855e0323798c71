// tests: a layer inside of another one brings no room of its own: it would be made in that one's place.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize outer growth=10 : load send/0:4 = 1
// PLAN: 2 specialize send parent=1 growth=500 : load send/0:4 = 1
// CHECK: decision 1 refused: given up: it would have {{[0-9]+}} instructions, at most 10 are allowed
// CHECK: decision 2 refused: given up: it would have {{[0-9]+}} instructions, at most 10 are allowed
#include "inner_sender.h"
