// tests: a signal's handler that jumps out of the function would leave a descriptor with flags, and memory as it was before.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is written, which a signal's handler that jumps would not find so
void siglongjmp(void *, int) __attribute__((noreturn));
void leave(void *place) { siglongjmp(place, 1); }
int last;
#define BETWEEN last = fd
#include "take_connection.h"
