// tests: what the function does that is unfolded is done in each round, and the loop stays as it was, with its calls.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 put/0
// CHECK-LABEL: define {{.*}} @copy(
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK-NOT: call {{.*}}@write
// CHECK: call {{.*}}@put(
// CHECK: decision 1 refused: the loop can't be one call: it calls tell in each round
#include <unistd.h>
void tell(void);
__attribute__((noinline)) static void put(int to, const char *block, ssize_t n) {
    write(to, block, (size_t)n);
    tell();
}
#include "copying_by_put.h"
