// tests: another rounding mode gives other results of the same inputs. What computes with whole numbers only is kept, and what moves
// numbers without computing.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache inverse
// PLAN: 2 cache of_a_number
// PLAN: 3 cache is_less
// PLAN: 4 cache root
// PLAN: 5 cache whole
// PLAN: 6 cache moved
// CHECK: decision 1 refused: {{.*}}: it computes with floating point, and the program uses fesetround
// CHECK: decision 2 refused: {{.*}}: it computes with floating point
// CHECK: decision 3 refused: {{.*}}: it computes with floating point
// CHECK: decision 4 refused: {{.*}}: it computes with floating point
// CHECK: decision 5 applied
// CHECK: decision 6 applied
#include <fenv.h>
#include <math.h>
void set(int mode) { fesetround(mode); }
__attribute__((noinline)) double inverse(double value) { return 1 / value; }
__attribute__((noinline)) float of_a_number(int value) { return (float)value; }
__attribute__((noinline)) int is_less(double one, double other) { return one < other; }
__attribute__((noinline)) double root(double value) { return __builtin_elementwise_sqrt(value); }
__attribute__((noinline)) int whole(int value) { return value / 3; }
__attribute__((noinline)) void moved(double *to, double value) { *to = -value; }
