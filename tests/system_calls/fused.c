// tests: copies a file as careful programs do; `fuse` makes one call of its rounds.
// PLAN: 1 fuse main/2 main/3
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

int main(int argc, char **argv) {
    char block[5000];  // no multiple of a page: what is short ends within a block
    if (argc < 3)
        return 0;
    const int from = open(argv[argc - 2], O_RDONLY);
    if (from < 0)
        return failed("open");
    const int to = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (to < 0)
        return failed("open");
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        for (ssize_t done = 0, now; done < n; done += now)
            if ((now = write(to, block + done, (size_t)(n - done))) < 0)
                return failed("write");
    if (n < 0)
        return failed("read");
    return close(from) || close(to) ? failed("close") : 0;
}
