// tests: the plan has the two the other way round: no way leads from the second to the first.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/1 put/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: no way leads from the first call to the others

#include "put_parts.h"
