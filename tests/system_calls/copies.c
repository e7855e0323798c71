// tests: copies a file, by what MODE says: as written, or as an optimiser might leave it that is right or is wrong.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLAIN, LOSES_ERRORS, FUSED, FUSED_LOSES_ERRORS };

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

static int in_blocks(int from, int to) {
    char block[4096];
    for (ssize_t n; (n = read(from, block, sizeof block)) != 0;) {
        if (n < 0)
            return failed("read");
        for (ssize_t done = 0, now; done < n; done += now) {
            now = write(to, block + done, (size_t)(n - done));
            if (now < 0 && MODE == LOSES_ERRORS)
                return 0;
            if (now < 0)
                return failed("write");
        }
    }
    return 0;
}

static int at_once(int from, int to) {
    for (ssize_t n; (n = copy_file_range(from, NULL, to, NULL, INT_MAX, 0)) != 0;) {
        if (n < 0)
            return MODE == FUSED_LOSES_ERRORS ? 0 : in_blocks(from, to);
    }
    return in_blocks(from, to);
}

int main(int argc, char **argv) {
    const int from = open(argv[argc - 2], O_RDONLY);
    if (from < 0)
        return failed("open");
    const int to = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0)
        return failed("open");
    return MODE == FUSED || MODE == FUSED_LOSES_ERRORS ? at_once(from, to) : in_blocks(from, to);
}
