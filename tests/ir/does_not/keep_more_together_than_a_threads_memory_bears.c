// tests: what all decisions keep together is bounded; the plan's first ones come first, and a smaller one may still find room.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache first
// PLAN: 2 cache second
// PLAN: 3 cache third
// PLAN: 4 cache fourth
// CHECK: decision 1 applied: 2 bytes of inputs are compared, 3000 bytes of results kept
// CHECK: decision 2 refused: it would keep 2960 bytes in each thread, after 3040 of other decisions; 5984 are kept of all together
// CHECK: decision 3 applied: 2 bytes of inputs are compared, 2912 bytes of results kept
// CHECK: decision 4 refused: it would keep 48 bytes in each thread, after 5984 of other decisions
#define FILLS(name, bytes)                                                                                             \
    __attribute__((noinline)) void name(unsigned char *table, unsigned short step) {                                   \
        for (int i = 0; i < (bytes); ++i)                                                                              \
            table[i] = (unsigned char)(i * step >> 3);                                                                 \
    }
FILLS(first, 3000)
FILLS(second, 2928)
FILLS(third, 2912)
FILLS(fourth, 8)
