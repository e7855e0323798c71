// tests: a function that asks for more when a write was refused writes what was not read.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse safe_read/0 safe_write/0
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it may write more than it has read
#define IS_TOO_MUCH(count) (largest > (count))
#include "copy_by_try_again.h"
