// tests: where nobody changes how it is computed: who asks for the rounding mode, or clears a flag, doesn't.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache inverse
// CHECK: decision 1 applied
#include <fenv.h>
int asks(void) { return feclearexcept(FE_ALL_EXCEPT) + fegetround(); }
__attribute__((noinline)) double inverse(double value) { return 1 / value; }
