// tests: copies a file as gnulib's functions do, which try again; `fuse` unfolds them, and makes one call of their rounds.
// PLAN: 1 fuse safe_read/0 safe_write/0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { largest = 0x7ff00000 };
__attribute__((noinline)) static size_t safe_read(int fd, void *bytes, size_t count) {
    for (;;) {
        const ssize_t result = read(fd, bytes, count);
        if (0 <= result)
            return result;
        else if (errno == EINTR)
            continue;
        else if (errno == EINVAL && largest < count)
            count = largest;
        else
            return result;
    }
}
__attribute__((noinline)) static size_t safe_write(int fd, const void *bytes, size_t count) {
    for (;;) {
        const ssize_t result = write(fd, bytes, count);
        if (0 <= result)
            return result;
        else if (errno == EINTR)
            continue;
        else if (errno == EINVAL && largest < count)
            count = largest;
        else
            return result;
    }
}
__attribute__((noinline)) static size_t full_write(int fd, const void *bytes, size_t count) {
    size_t total = 0;
    const char *at = bytes;
    while (count > 0) {
        const size_t now = safe_write(fd, at, count);
        if (now == (size_t)-1)
            break;
        if (now == 0) {
            errno = ENOSPC;
            break;
        }
        total += now;
        at += now;
        count -= now;
    }
    return total;
}

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
