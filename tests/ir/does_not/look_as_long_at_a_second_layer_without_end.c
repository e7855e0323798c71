// tests: layers without end look at so many points together as the program's size gives, and the outcome says so.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize first growth=20000 : load first/0:4 = 1
// PLAN: 2 specialize second growth=20000 : load second/0:4 = 1
// CHECK: decision 1 refused: given up: no end in sight: more than {{[0-9]+}} instructions, or 8000 points of the program looked at
// CHECK-NEXT: decision 2 refused: given up: no end in sight: more than {{[0-9]+}} instructions, or 256 points of the program looked at; this program's layers may look at 8000 points in vain together, 5 for each of its IR instructions and at least 8000
#include "layers_without_end.h"
