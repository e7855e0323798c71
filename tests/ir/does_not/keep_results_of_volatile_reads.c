// tests: what a volatile variable holds may be another thing at each look.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache scaled
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: it is not known to compute from what can be compared: it has volatile or atomic accesses
volatile int port;
__attribute__((noinline)) int scaled(int factor) { return port * factor; }
