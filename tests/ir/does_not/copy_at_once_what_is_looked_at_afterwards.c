// tests: what lies in the buffer behind the loop is what was read last.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: its buffer is used by others, who would find in it what was not read
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return block[9];
}
