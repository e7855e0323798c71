// tests: a division by zero that is not computed again raises no flag again.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache inverse
// CHECK: decision 1 refused: {{.*}}: it computes with floating point, and the program uses fetestexcept
#include <fenv.h>
int has_failed(void) { return fetestexcept(FE_DIVBYZERO); }
__attribute__((noinline)) double inverse(double value) { return 1 / value; }
