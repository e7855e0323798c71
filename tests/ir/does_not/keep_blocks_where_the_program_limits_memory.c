// tests: where memory is limited, one block more might make another request fail.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program uses setrlimit
#include <sys/resource.h>

#include "block_in_each_round.h"

int limit(const struct rlimit *to) { return setrlimit(RLIMIT_DATA, to); }
