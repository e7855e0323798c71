// tests: a loop that counts its rounds makes them.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it carries {{.*}} from round to round, which isn't the number of bytes
#include <fcntl.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    int rounds = 0;
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        rounds += write(to, block, (size_t)n) > 0;
    close(from);
    close(to);
    return rounds;
}
