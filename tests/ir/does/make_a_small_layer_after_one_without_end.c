// tests: when a layer without end has looked at all points that the program's layers may look at in vain, a small one is made.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize first growth=20000 : load first/0:4 = 1
// PLAN: 2 specialize small growth=500 : load small/0:4 = 1
// CHECK: decision 1 refused: given up: no end in sight: 8000 points
// CHECK: decision 2 applied
#include "layers_without_end.h"
