// tests: who leaves by a signal's handler would see the variable without the write.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is written that others may see
long written;
#define BETWEEN written += 4
#include "put_parts.h"
