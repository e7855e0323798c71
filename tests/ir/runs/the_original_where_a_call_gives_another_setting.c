// tests: where a call from outside gives another number than was assumed, and another each time, the program does what it was written to do.
// RUN: %run %s
// PLAN: 1 specialize work growth=800 : result work/0:4 = 3
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) unsigned work(const char *text, unsigned rounds) {
    const int mode = atoi(text);
    unsigned sum = (unsigned)mode;
    for (unsigned i = 0; i < rounds; ++i)
        switch (mode) {
        case 0:
            sum += i;
            break;
        case 1:
            sum ^= i * 7;
            break;
        case 3:
            sum = sum * 31 + i;
            break;
        default:
            sum -= i;
            break;
        }
    return sum;
}

int main(void) {
    const char *const texts[] = {"3", "0", "3", "1", "-3", "zebra", "3", "4294967299"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
        printf("%u\n", work(texts[i], 10 * i));
    return 0;
}
