// tests: a thread's own variable is none that all have.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache scaled
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: it is not known to compute from what can be compared: it uses llvm.threadlocal.address
_Thread_local int level;
__attribute__((noinline)) int scaled(int factor) { return level * factor; }
