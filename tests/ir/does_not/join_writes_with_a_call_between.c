// tests: what is called between the writes may wait for the first, or show that it was made.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, report is called
void report(void);
#define BETWEEN report()
#include "put_parts.h"
