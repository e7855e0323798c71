// tests: preloaded into a program, it makes each write two: what an optimiser that is wrong might leave.
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t size) {
    const size_t half = size / 2;
    const long first = half ? syscall(SYS_write, fd, bytes, half) : 0;
    if (first != (long)half)
        return first;
    const long rest = syscall(SYS_write, fd, (const char *)bytes + half, size - half);
    return rest < 0 && half ? first : first + rest;
}
