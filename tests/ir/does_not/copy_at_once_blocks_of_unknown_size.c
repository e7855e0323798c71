// tests: without a known size it isn't known which way the loop goes.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: how much it reads at once isn't a number from 1 to 16 MiB that is known
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b, size_t size) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, size)) > 0)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
