// tests: of a function that is gone, that has changed, that another decision keeps already, and where the plan says no.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache gone
// PLAN: 2 cache square hash=0x1
// PLAN: 3 cache cube
// PLAN: 4 cache cube
// PLAN: 5 cache fourth refusal=too-cold
// CHECK: decision 1 refused: there is no function gone in this program
// CHECK: decision 2 refused: stale: square has changed since it was recorded
// CHECK: decision 3 applied
// CHECK: decision 4 refused: another decision keeps this function's results
// CHECK: decision 5 refused: the plan refuses it
__attribute__((noinline)) int square(int value) { return value * value; }
__attribute__((noinline)) int cube(int value) { return value * value * value; }
__attribute__((noinline)) int fourth(int value) { return value * value * value * value; }
