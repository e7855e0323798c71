// tests: copies a file as GNU programs do.
#pragma once
#include "try_again.h"
int copy(const char *a, const char *b) {
    char *block = malloc(32768);
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    for (;;) {
        const size_t n = safe_read(from, block, 32768);
        if (n == (size_t)-1)
            return 1;
        if (n == 0)
            break;
        if (full_write(to, block, n) < n)
            return 2;
    }
    free(block);
    close(from);
    return close(to);
}
