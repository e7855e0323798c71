// tests: a sum of the bytes goes on from those that the kernel copied; the loop ends at a short block.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: [[COPIED:%.*]] = call i64 @thalweg_crossing_copy(
// CHECK: [[SUM:%.*]] = add i64 0, [[COPIED]]
// CHECK: phi i64 [ [[SUM]],
// CHECK: decision 1 applied
#include <fcntl.h>
#include <unistd.h>
long copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    long sum = 0;
    ssize_t n;
    do {
        n = read(from, block, sizeof block);
        if (n < 0 || write(to, block, (size_t)n) != n)
            return -1;
        sum += n;
    } while (n == sizeof block);
    close(from);
    close(to);
    return sum;
}
