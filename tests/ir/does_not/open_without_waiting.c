// tests: to open a pipe or a device without waiting is not the same as not to wait once it is open; nor is it known what F_GETFL gives.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, fcntl is called
#include <fcntl.h>
int take(const char *name) {
    const int fd = open(name, O_RDONLY);
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}
