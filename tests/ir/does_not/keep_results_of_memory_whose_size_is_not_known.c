// tests: how much is to be compared is not known before it is computed.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache sum
// PLAN: 2 cache copy
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: {{.*}}: it uses memory at a place that isn't known
// CHECK: decision 2 refused: {{.*}}: it uses memory whose size isn't known
__attribute__((noinline)) int sum(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; ++i)
        total += values[i];
    return total;
}
__attribute__((noinline)) void copy(char *to, const char *from, unsigned long size) {
    __builtin_memcpy(to, from, size);
}
