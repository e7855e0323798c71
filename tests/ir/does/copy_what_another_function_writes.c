// tests: the function that writes is unfolded in the loop that reads.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 put/0
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: call i64 @thalweg_crossing_copy({{.*}}, i64 4096)
// CHECK: call i64 @read(
// CHECK: decision 1 applied
#include <unistd.h>
__attribute__((noinline)) static void put(int to, const char *block, ssize_t n) { write(to, block, (size_t)n); }
#include "copying_by_put.h"
