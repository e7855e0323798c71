// tests: who is told of the descriptor finds it without its flags, as ever.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, tell is called
void tell(int);
#define BETWEEN tell(fd)
#include "take_connection.h"
