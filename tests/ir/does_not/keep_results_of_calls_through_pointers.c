// tests: a call through a pointer may lead anywhere.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache scaled
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: it is not known to compute from what can be compared: it calls through a pointer
__attribute__((noinline)) int scaled(int (*of)(int), int factor) { return of(factor) * factor; }
