// tests: where a local variable lies is another place each time.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache where
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: {{.*}}: the address of a local variable becomes part of what it computes
__attribute__((noinline)) void where(unsigned long *result) {
    volatile int *none = 0;
    int local[4];
    *result = (unsigned long)local ^ (unsigned long)none;
}
