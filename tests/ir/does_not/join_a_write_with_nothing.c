// tests: a write alone stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: one call alone is joined with nothing

#include "put_parts.h"
