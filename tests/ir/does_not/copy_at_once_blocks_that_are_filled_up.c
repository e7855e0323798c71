// tests: a last block that is written whole holds bytes of the block before.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it may write more than it has read
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    while (read(from, block, sizeof block) > 0)
        write(to, block, sizeof block);
    close(from);
    close(to);
    return 0;
}
