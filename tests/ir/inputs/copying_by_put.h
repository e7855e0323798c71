// tests: the copy program of the paper (cassyopia, figure 1), whose writes are in a function that the test defines.
#pragma once
#include <fcntl.h>
#include <unistd.h>

int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        put(to, block, n);
    close(from);
    close(to);
    return 0;
}
