// tests: a call that failed with flags would fail without them; its error is the program's.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-LABEL: define {{.*}} @take(
// CHECK: call i1 @thalweg_crossing_may_flag(
// CHECK: call i32 @socket(i32 1, i32 524289
// CHECK-NOT: @thalweg_crossing_lacks_flags
// CHECK: decision 1 applied: 1 calls behind socket in take are left out, as socket sets the flags
#include <fcntl.h>
#include <sys/socket.h>
int take(void) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}
