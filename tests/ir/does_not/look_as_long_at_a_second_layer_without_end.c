// tests: layers without end look at so many points together as the program's size gives, each at its share, and the outcome says so.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize first growth=20000 : load first/0:4 = 1
// PLAN: 2 specialize second growth=20000 : load second/0:4 = 1
// PLAN: 3 specialize third growth=20000 : load third/0:4 = 1
// PLAN: 4 specialize fourth growth=20000 : load fourth/0:4 = 1
// CHECK: decision 1 refused: given up: no end in sight: 4249 points of the program looked at; this program's layers may look at 25000 points in vain together, 1 for each of its IR instructions and at least 25000
// CHECK: decision 4 refused: given up: no end in sight: 2412 points of the program looked at; this program's layers may look at 25000 points
#include "layers_without_end.h"
