// tests: gnulib's safe_read and full_write: they try again when they were interrupted or asked for too much, and go on after a short write.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef IS_TOO_MUCH
#define IS_TOO_MUCH(count) (largest < (count))
#endif
#ifndef STEP
#define STEP(written) (written)
#endif
enum { largest = 0x7ff00000 };

#define TRY_AGAIN(call)                                                                                                \
    for (;;) {                                                                                                         \
        const ssize_t result = call(fd, bytes, count);                                                                 \
        if (0 <= result)                                                                                               \
            return result;                                                                                             \
        else if (errno == EINTR)                                                                                       \
            continue;                                                                                                  \
        else if (errno == EINVAL && IS_TOO_MUCH(count))                                                                \
            count = largest;                                                                                           \
        else                                                                                                           \
            return result;                                                                                             \
    }
__attribute__((noinline)) static size_t safe_read(int fd, void *bytes, size_t count) { TRY_AGAIN(read) }
__attribute__((noinline)) static size_t safe_write(int fd, const void *bytes, size_t count) { TRY_AGAIN(write) }
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
        at += STEP(now);
        count -= now;
    }
    return total;
}
