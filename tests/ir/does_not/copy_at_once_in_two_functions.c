// tests: a function that another library may replace is not unfolded, and does what it likes.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 put/0
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: read and write stand in different functions
#include <unistd.h>
__attribute__((weak)) void put(int to, const char *block, ssize_t n) { write(to, block, (size_t)n); }
#include "copying_by_put.h"
