// tests: 5,984 bytes are kept, and not more.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache large
// PLAN: 2 cache small
// CHECK: @small.thalweg.kept = internal thread_local global [5984 x i8]
// CHECK: decision 1 refused: {{.*}}: 2 bytes of inputs and 5983 of results are more than the 5984 that are kept
// CHECK: decision 2 applied: 2 bytes of inputs are compared, 5952 bytes of results kept
__attribute__((noinline)) void small(unsigned char *table, unsigned short step) {
    for (int i = 0; i < 5952; ++i)
        table[i] = (unsigned char)(i * step >> 3);
}
__attribute__((noinline)) void large(unsigned char *table, unsigned short step) {
    for (int i = 0; i < 5983; ++i)
        table[i] = (unsigned char)(i * step >> 3);
}
