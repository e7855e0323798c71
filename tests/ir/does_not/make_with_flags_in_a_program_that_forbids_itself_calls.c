// tests: a program that allows itself accept alone is killed where it makes accept4.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses prctl, and may forbid itself the system calls that would take their place
int prctl(int option, ...);
int limit(void) { return prctl(22, 1, 0, 0, 0); }
#define BETWEEN
#include "take_connection.h"
