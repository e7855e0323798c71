// tests: the shell and its other children share the offset of the standard input.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/1 copy/2
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: another process may share the offset at which read goes on: where the descriptor was opened isn't seen
#include <fcntl.h>
#include <unistd.h>
void copy(const char *b) {
    char block[4096];
    const int to = creat(b, 0666);
    ssize_t n;
    while ((n = read(0, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
}
