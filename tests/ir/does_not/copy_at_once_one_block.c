// tests: a loop that ends after the first whole block copies no file.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it ends though all was read and written
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        if (write(to, block, (size_t)n) == sizeof block)
            return 1;
    close(from);
    close(to);
    return 0;
}
