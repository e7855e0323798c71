// tests: a function that asks for more when a write was refused writes what was not read.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse safe_read/0 safe_write/0
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it may write more than it has read
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
enum { largest = 0x7ff00000 };
__attribute__((noinline)) size_t safe_read(int fd, void *bytes, size_t count) {
    for (;;) {
        const ssize_t result = read(fd, bytes, count);
        if (0 <= result)
            return result;
        else if (errno == EINTR)
            continue;
        else if (errno == EINVAL && largest > count)
            count = largest;
        else
            return result;
    }
}
__attribute__((noinline)) size_t safe_write(int fd, const void *bytes, size_t count) {
    for (;;) {
        const ssize_t result = write(fd, bytes, count);
        if (0 <= result)
            return result;
        else if (errno == EINTR)
            continue;
        else if (errno == EINVAL && largest > count)
            count = largest;
        else
            return result;
    }
}
__attribute__((noinline)) size_t full_write(int fd, const void *bytes, size_t count) {
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
