// tests: a function that another library may replace is not unfolded, and does what it likes.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 put/0
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: read and write stand in different functions
#include <fcntl.h>
#include <unistd.h>
__attribute__((weak)) void put(int to, const char *block, ssize_t n) { write(to, block, (size_t)n); }
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        put(to, block, n);
    close(from);
    close(to);
    return 0;
}
