// tests: a connection is accepted with its flags, and the calls behind are left out; the first is made as it stands, and tells whether this may be.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1 take/2 take/3
// CHECK: [[MAKER:@thalweg.maker.1]] = internal global [2 x i32] zeroinitializer
// CHECK-LABEL: define {{.*}} @take(
// CHECK: [[MAY:%.*]] = call i1 @thalweg_crossing_may_flag(ptr [[MAKER]], i32 0)
// CHECK: [[WITH:%.*]] = call i32 @accept4(i32 %listener, ptr null, ptr null, i32 526336)
// CHECK: call i1 @thalweg_crossing_lacks_flags(ptr [[MAKER]])
// CHECK: call i32 @accept(
// CHECK: call void @thalweg_crossing_look(ptr [[MAKER]], i32 %{{.*}}, i32 2)
// CHECK: call i32 (i32, i32, ...) @fcntl({{.*}}, i32 noundef 2, i32 noundef 1)
// CHECK: call i32 (i32, i32, ...) @fcntl({{.*}}, i32 noundef 3, i32 noundef 0)
// CHECK: phi i32 [ 2, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
// CHECK: call i32 (i32, i32, ...) @fcntl({{.*}}, i32 noundef 4, i32
// CHECK-NOT: thalweg_crossing_take_back
// CHECK: decision 1 applied: 3 calls behind accept in take are left out, as accept4 sets the flags
#include <fcntl.h>
#include <sys/socket.h>
int take(int listener) {
    const int fd = accept(listener, 0, 0);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    const int flags = fcntl(fd, F_GETFL, 0);
    if (flags == -1 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == -1)
        return -2;
    return fd;
}
