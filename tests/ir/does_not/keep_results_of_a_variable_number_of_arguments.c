// tests: how many arguments there are to be compared is not known.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache first
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: {{.*}}: it takes a variable number of arguments
__attribute__((noinline)) int first(int value, ...) { return value / 7; }
