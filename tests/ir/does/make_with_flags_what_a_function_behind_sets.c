// tests: the calls stand in functions of their own; what leads to them is unfolded, and what the new memory holds is followed.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take_one/0 close_on_exec/0 do_not_wait/0 do_not_wait/1
// CHECK-LABEL: define {{.*}} @serve(
// CHECK: call i32 @accept4(i32 %listener, ptr null, ptr null, i32 526336)
// CHECK: decision 1 applied: 3 calls behind accept in serve are left out, as accept4 sets the flags
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
struct connection {
    int fd, state;
};
__attribute__((noinline)) static int take_one(int listener) { return accept(listener, 0, 0); }
__attribute__((noinline)) static int close_on_exec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
__attribute__((noinline)) static int do_not_wait(struct connection *one) {
    const int flags = fcntl(one->fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(one->fd, F_SETFL, flags | O_NONBLOCK);
}
struct connection *serve(int listener) {
    const int fd = take_one(listener);
    if (fd == -1)
        return 0;
    struct connection *one = malloc(sizeof *one);
    if (!one)
        abort();
    one->fd = fd;
    one->state = 0;
    close_on_exec(one->fd);
    if (do_not_wait(one) < 0)
        abort();
    return one;
}
