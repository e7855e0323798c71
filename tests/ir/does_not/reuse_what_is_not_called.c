// tests: what the program does not call has nothing to keep.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse realloc/0
// CHECK-NOT: @thalweg.realloc
// CHECK: decision 1 refused: the program calls no realloc
#include "one_small_block.h"
