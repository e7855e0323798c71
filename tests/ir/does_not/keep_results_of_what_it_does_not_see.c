// tests: a function without a body may do anything.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache scaled
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: it is not known to compute from what can be compared: it calls outside, which may do anything
int outside(int);
__attribute__((noinline)) int scaled(int factor) { return outside(factor) * factor; }
