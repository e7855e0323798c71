// tests: a loop that ends at a limit may end within the file.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/5
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: which way it goes isn't known when all was read and written
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b, long limit) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    ssize_t n = 0;
    for (long sum = 0; sum < limit && (n = read(from, block, sizeof block)) > 0; sum += n)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
