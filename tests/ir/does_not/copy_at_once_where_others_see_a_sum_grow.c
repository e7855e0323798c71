// tests: a sum in memory is seen by others while the loop runs.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it changes memory in each round, or looks at what others change
#include <fcntl.h>
#include <unistd.h>
extern _Atomic long sum;
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        sum += write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
