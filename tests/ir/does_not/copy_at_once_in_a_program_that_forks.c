// tests: a child shares the offsets of its parent.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the program uses fork: others may share its descriptors, or see its calls
#include "copying_loop.h"

int children(void) { return fork(); }
