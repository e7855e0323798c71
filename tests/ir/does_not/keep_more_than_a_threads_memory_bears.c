// tests: 8,192 bytes are kept, and not more.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache small
// PLAN: 2 cache large
// CHECK: decision 1 applied: 2 bytes of inputs are compared, 8190 bytes of results kept
// CHECK: decision 2 refused: {{.*}}: 2 bytes of inputs and 8192 of results are more than the 8192 that are kept
__attribute__((noinline)) void small(unsigned char *table, unsigned short step) {
    for (int i = 0; i < 8190; ++i)
        table[i] = (unsigned char)(i * step >> 3);
}
__attribute__((noinline)) void large(unsigned char *table, unsigned short step) {
    for (int i = 0; i < 8192; ++i)
        table[i] = (unsigned char)(i * step >> 3);
}
