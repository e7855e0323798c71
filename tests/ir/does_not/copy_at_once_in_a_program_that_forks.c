// tests: a child shares the offsets of its parent.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the program uses fork: others may share its descriptors, or see its calls
#include <fcntl.h>
#include <unistd.h>
int children(void) { return fork(); }
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
