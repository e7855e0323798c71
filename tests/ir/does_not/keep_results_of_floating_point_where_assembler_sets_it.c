// tests: the x87's control word, in assembler code, in a program with 80-bit numbers.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache inverse
// CHECK: decision 1 refused: {{.*}}: it computes with floating point, and the program uses assembler code with fldcw
long double half(long double value) { return value / 2; }
void set(unsigned short word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
__attribute__((noinline)) double inverse(double value) { return 1 / value; }
