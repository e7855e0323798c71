// tests: short writes and interrupted calls are answered by loops of their own, where nothing happens as long as all is read and written.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/3 copy/4
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: [[BLOCK:%.*]] = select i1 %thalweg.no_buffer, i64 0, i64 65536
// CHECK: call i64 @thalweg_crossing_copy({{.*}}, i64 [[BLOCK]])
// CHECK: call i64 @read(
// CHECK: decision 1 applied: whole blocks of 65536 bytes
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int copy(const char *a, const char *b) {
    char *block = malloc(65536);
    const int from = open(a, O_RDONLY);
    const int to = creat(b, 0666);
    for (;;) {
        ssize_t n = read(from, block, 65536);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return 1;
        for (char *at = block; n > 0;) {
            const ssize_t written = write(to, at, (size_t)n);
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return 2;
            at += written;
            n -= written;
        }
    }
    close(from);
    close(to);
    return 0;
}
