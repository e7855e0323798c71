// tests: whoever calls from outside may share what it has opened.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/0 copy/1
// CHECK-NOT: call {{.*}}@thalweg_crossing_copy
// CHECK: decision 1 refused: another process may share the offset at which read goes on: where the descriptor was opened isn't seen
#include <fcntl.h>
#include <unistd.h>
void copy(int from, int to) {
    char block[4096];
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
}
