// tests: a sanitizer would not see who uses a block that was given back.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: a sanitizer watches the program's memory
// FLAGS: -fsanitize=address
#include "block_in_each_round.h"
