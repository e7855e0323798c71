// tests: who computes from what is read has to read it.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it carries
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    int sum = 0;
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        sum ^= block[n / 2] + (int)write(to, block, (size_t)n);
    close(from);
    close(to);
    return sum;
}
