// tests: a caller may look at the buffer.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: what else is done with its buffer isn't seen
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b, char *block) {
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(from, block, 4096)) > 0)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
