// tests: a program that allows itself pwrite alone is killed where it makes another call.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses prctl, and may forbid itself the system calls that would take their place
int prctl(int option, ...);
int limit(void) { return prctl(22, 2, 0, 0, 0); }
#include "put_parts.h"
