// tests: where a store may have changed the pair, nothing is known of what it holds.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1 take/2
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, fcntl is called
#include <fcntl.h>
#include <unistd.h>
int take(int *ends, int *other, int value) {
    if (pipe(ends) != 0)
        return -1;
    *other = value;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) | fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}
