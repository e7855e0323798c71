// tests: what each round reads is another file.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/1 copy/2
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: the loop can't be one call: it reads from another descriptor or to another place in each round
#include <fcntl.h>
#include <unistd.h>
void copy(const int *from, const char *b) {
    char block[4096];
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(*from++, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
}
