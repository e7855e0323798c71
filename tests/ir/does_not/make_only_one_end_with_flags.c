// tests: pipe2 gives both ends their flags, or none.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: only one of both descriptors is given a flag
#include <fcntl.h>
#include <unistd.h>
int take(int *ends) {
    if (pipe(ends) != 0)
        return -1;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC);
}
