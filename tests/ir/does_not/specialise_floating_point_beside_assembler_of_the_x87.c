// tests: a program without 80-bit numbers whose assembler code computes in the x87, by the control word that other code of it sets.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize scaled : argument scaled/0 = 1
// CHECK: ; decision 1 refused: {{.*}}it computes with floating point, and the program uses assembler code with fldcw
void set(unsigned short word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
double root(double value) {
    __asm__("fsqrt" : "+t"(value));
    return value;
}
double scaled(long way, double value) { return way == 1 ? value / 3 : value * way; }
