// tests: a sanitizer would not see who uses a block that was given back.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// CHECK-NOT: @thalweg.malloc
// CHECK: decision 1 refused: a sanitizer watches the program's memory
// FLAGS: -fsanitize=address
#include "one_small_block.h"
