// tests: a call that failed may have made the file, so that with O_EXCL a second one would fail for another reason: it isn't made.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-LABEL: define {{.*}} @take(
// CHECK: call i1 @thalweg_crossing_may_flag(
// CHECK: call i32 (ptr, i32, ...) @open(ptr %name, i32 524481
// CHECK-NOT: @thalweg_crossing_lacks_flags
// CHECK: decision 1 applied: 1 calls behind open in take are left out, as open sets the flags
#include <fcntl.h>
int take(const char *name) {
    const int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}
