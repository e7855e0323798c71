// tests: a way that ends in a failed assertion leaves no results; what lies behind the assertion is not looked at before it.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache thirds
// PLAN: 2 cache behind
// CHECK: decision 1 applied: 4 bytes of inputs are compared, 4 bytes of results kept
// CHECK: decision 2 refused: {{.*}}: it uses memory of argument 1 in some cases only, which may not be there in the others
__attribute__((noreturn)) void failed(int);
__attribute__((noinline)) int thirds(int value) {
    if (value % 3 != 0)
        failed(value);
    return value / 3;
}
__attribute__((noinline)) int behind(int value, const int *place) {
    if (value % 3 != 0)
        failed(value);
    return value / 3 + *place;
}
