// tests: what another thread may change at any time is no input.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache scaled
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: it is not known to compute from what can be compared: it has volatile or atomic accesses
_Atomic int level;
__attribute__((noinline)) int scaled(int factor) { return level * factor; }
