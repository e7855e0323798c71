// tests: a program that asks how much is allocated would see the kept block.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program uses mallinfo2, which would show or change what is kept
#include <malloc.h>

#include "block_in_each_round.h"

size_t used(void) { return mallinfo2().uordblks; }
