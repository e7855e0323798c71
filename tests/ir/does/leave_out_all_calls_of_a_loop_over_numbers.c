// tests: all calls of such a loop ask and tell, whichever the plan names; a second decision finds nothing to do.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide mark_all/0
// PLAN: 2 elide mark_all/1
// CHECK-LABEL: define {{.*}} @mark_all(
// CHECK-COUNT-2: call i1 @thalweg_crossing_is_absent(
// CHECK-NOT: call i1 @thalweg_crossing_is_absent(
// CHECK: decision 1 applied: fcntl is made for numbers that may be descriptors
// CHECK: decision 2 refused: another decision has seen to its loop
#include <fcntl.h>
void mark_all(int count) {
    for (int number = 3; number < count; ++number) {
        const int flags = fcntl(number, F_GETFD);
        if (flags >= 0)
            fcntl(number, F_SETFD, flags | FD_CLOEXEC);
    }
}
