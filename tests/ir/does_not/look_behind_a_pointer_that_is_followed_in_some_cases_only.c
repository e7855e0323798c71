// tests: where the program might not have read, nothing is compared.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache chosen
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: {{.*}}: it uses memory of argument 1 in some cases only, which may not be there in the others
__attribute__((noinline)) int chosen(int which, const int *place) { return which ? place[0] : which * 7; }
