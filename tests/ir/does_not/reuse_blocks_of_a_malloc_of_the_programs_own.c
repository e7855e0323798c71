// tests: a program's own malloc may do anything with its blocks.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// CHECK-NOT: @thalweg.malloc
// CHECK: decision 1 refused: the program has a malloc of its own
#include <stddef.h>
static char memory[100];
void *malloc(size_t size) { return size < sizeof memory ? memory : NULL; }
#include "one_small_block.h"
