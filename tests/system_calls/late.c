// tests: copies a file COUNT times as the benchmark's program does, but writes each copy's last block when all are made.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 4096, MOST = 1000 };

static char last[MOST][BLOCK];
static ssize_t lengths[MOST];

// Returns the descriptor of the copy, which lacks its last block.
static int copy_but_last(const char *from, const char *to, long number) {
    char block[BLOCK];
    const int in = open(from, O_RDONLY);
    const int out = creat(to, 0666);
    for (ssize_t n; (n = read(in, block, BLOCK)) > 0;) {
        if (lengths[number] > 0 && write(out, last[number], (size_t)lengths[number]) < 0)
            exit(1);
        lengths[number] = n;
        for (ssize_t i = 0; i < n; ++i)
            last[number][i] = block[i];
    }
    close(in);
    return out;
}

int main(int argc, char **argv) {
    const long count = argc == 4 ? atol(argv[3]) : 0;
    int outs[MOST];
    for (long i = 0; i < count && i < MOST; ++i) {
        char to[4096];
        snprintf(to, sizeof to, "%s.%ld", argv[2], i);
        outs[i] = copy_but_last(argv[1], to, i);
    }
    for (long i = 0; i < count && i < MOST; ++i)
        if (write(outs[i], last[i], (size_t)lengths[i]) < 0)
            return 1;
    return 0;
}
