// tests: a loop that writes what was read in the round before begins with a write.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/6 copy/5
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it writes before it reads
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    for (ssize_t n = read(from, block, sizeof block); n > 0; n = read(from, block, sizeof block))
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
