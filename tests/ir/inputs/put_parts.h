// tests: the parts of a record are written side by side, each only when the one before was written in full.
#pragma once
#include <sys/types.h>
#include <unistd.h>
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset);
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef BODY
#define BODY const char *body
#endif
__attribute__((noinline)) int put(int file, BODY, size_t size, off_t offset) {
    char header[4] = {(char)size, 2, 3, 4};
    if (pwrite(file, header, sizeof header, offset) != sizeof header)
        return 1;
    BETWEEN;
    if (pwrite(file, body, size, offset + 4) != (ssize_t)size)
        return 2;
    return 0;
}
