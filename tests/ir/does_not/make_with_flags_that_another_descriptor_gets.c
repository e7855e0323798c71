// tests: flags that are set of another descriptor are none of the new one's.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, fcntl is called
#include <fcntl.h>
#include <sys/socket.h>
int take(int listener) {
    const int fd = accept(listener, 0, 0);
    if (fd >= 0)
        fcntl(listener, F_SETFD, FD_CLOEXEC);
    return fd;
}
