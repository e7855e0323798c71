// tests: what functions that are called read and write is what their caller does.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache sum_of_both
// CHECK: decision 1 applied: 32 bytes of inputs are compared, 4 bytes of results kept
__attribute__((noinline)) static int sum(const int *four) {
    int total = 0;
    for (int i = 0; i < 4; ++i)
        total += four[i];
    return total;
}
int sum_of_both(const int *one, const int *other) { return sum(one) * sum(other); }
