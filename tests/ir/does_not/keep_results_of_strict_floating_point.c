// tests: a function that says itself that the rounding mode may be any, and one that calls it.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache strict
// PLAN: 2 cache calls_strict
// PLAN: 3 cache other
// CHECK: decision 1 refused: {{.*}}: it is marked strictfp
// CHECK: decision 2 refused: {{.*}}: it calls strict, which calls itself or can't be looked through
// CHECK: decision 3 applied
__attribute__((noinline)) double strict(double value) {
#pragma STDC FENV_ACCESS ON
    return 1 / value;
}
__attribute__((noinline)) double calls_strict(double value) { return strict(value); }
__attribute__((noinline)) double other(double value) { return 1 / value; }
