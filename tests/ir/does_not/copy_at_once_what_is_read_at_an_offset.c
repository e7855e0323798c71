// tests: of pread and write no call is made.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/5
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: pread and write are no pair of which one call can be made
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    for (off_t at = 0; (n = pread(from, block, sizeof block, at)) > 0; at += n)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
