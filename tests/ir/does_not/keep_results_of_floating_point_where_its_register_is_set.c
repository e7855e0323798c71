// tests: SSE's control register, as <xmmintrin.h> has it.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache inverse
// CHECK: decision 1 refused: {{.*}}: it computes with floating point, and the program uses llvm.x86.sse.ldmxcsr
#include <xmmintrin.h>
void set(unsigned bits) { _mm_setcsr(bits); }
__attribute__((noinline)) double inverse(double value) { return 1 / value; }
