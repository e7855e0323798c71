// tests: one block is copied as it was.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: there is no loop around both
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    write(to, block, (size_t)read(from, block, sizeof block));
    close(from);
    close(to);
    return 0;
}
