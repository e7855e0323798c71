// tests: a function that goes on too far in front writes beyond what was read when a write was short.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse safe_read/0 safe_write/0
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it may write more than it has read
#define STEP(written) (2 * (written))
#include "copy_by_try_again.h"
