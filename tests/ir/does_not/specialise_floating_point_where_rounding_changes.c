// tests: in a program that sets the rounding mode nothing is learnt of floating-point operands: the compiler would compute in the default mode.
// Layers and lines of whole numbers are made all the same, and a handler that computes stays a call.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize scaled : argument scaled/0 = 1
// PLAN: 2 specialize holds : argument holds/0 = 1
// PLAN: 3 merge fire/0 = third
// PLAN: 4 merge sums/0 = third
// CHECK-LABEL: define {{.*}} @holds(
// CHECK: call double @scaled(
// CHECK: ; decision 1 refused: given up: it computes with floating point, and the program uses fesetround
// CHECK: ; decision 2 applied: {{.*}}scaled is still called: it computes with floating point, and the program uses fesetround
// CHECK: ; decision 3 applied: {{.*}}third is still called: it computes with floating point
// CHECK: ; decision 4 refused: it computes with floating point, and the program uses fesetround
#include <fenv.h>
void set(int mode) { fesetround(mode); }
int count;
double sum;
double (*list[4])(double);

double third(double value) { return value / 3; }
double scaled(long way, double value) {
    if (way == 1)
        return value / 3;
    return value * way;
}
double holds(long way, double value) {
    if (way == 1)
        return scaled(way, 1.0);
    return scaled(way + 2, value);
}
void fire(double value) {
    for (int i = 0; i < count; ++i)
        list[i](value);
}
void sums(double value) {
    for (int i = 0; i < count; ++i)
        sum += list[i](value);
}
