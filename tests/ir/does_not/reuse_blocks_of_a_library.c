// tests: a shared library may be unloaded, and what it keeps would be lost.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// CHECK-NOT: @thalweg.malloc
// CHECK: decision 1 refused: it is no program
#include <stdlib.h>
void *copy(int count) { return malloc((size_t)count); }
