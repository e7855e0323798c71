// tests: a thread that waits for the variable may look for what was written before.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, there is a volatile or atomic access
int ready;
#define BETWEEN __atomic_store_n(&ready, 1, __ATOMIC_RELEASE)
#include "put_parts.h"
