// tests: copies a file as gnulib's functions do, which try again; `fuse` unfolds them, and makes one call of their rounds.
// PLAN: 1 fuse safe_read/0 safe_write/0
#include <stdio.h>
#include <string.h>

#include "try_again.h"

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

int main(int argc, char **argv) {
    enum { size = 5000 };  // no multiple of a page: what is short ends within a block
    if (argc < 3)
        return 0;
    char *block = malloc(size);
    if (!block)
        return failed("malloc");
    const int from = open(argv[argc - 2], O_RDONLY);
    if (from < 0)
        return failed("open");
    const int to = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0)
        return failed("open");
    for (;;) {
        const size_t n = safe_read(from, block, size);
        if (n == (size_t)-1)
            return failed("read");
        if (n == 0)
            break;
        if (full_write(to, block, n) < n)
            return failed("write");
    }
    free(block);
    return close(from) || close(to) ? failed("close") : 0;
}
