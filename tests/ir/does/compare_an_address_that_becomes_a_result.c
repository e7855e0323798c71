// tests: what is computed from a pointer as a number depends on where it points: its 8 bytes are compared, and the 4 behind it.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache next_of
// CHECK: decision 1 applied: 12 bytes of inputs are compared, 8 bytes of results kept
__attribute__((noinline)) const int *next_of(const int *list) { return list + *list; }
