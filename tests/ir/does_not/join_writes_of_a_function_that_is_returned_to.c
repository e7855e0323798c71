// tests: a function that setjmp returns to has locals whose values tell what was done.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: put may return to a place in it (setjmp)
#include <setjmp.h>
extern jmp_buf back;
#define BETWEEN                                                                                                        \
    if (offset == 7)                                                                                                   \
    return setjmp(back)
#include "put_parts.h"
