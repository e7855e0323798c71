// tests: descriptors are followed to the callers of a function that is called directly only.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/0 copy/1
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: call i64 @thalweg_crossing_copy(i32 {{.*}}%from, i32 {{.*}}%to, i64 4096)
// CHECK: decision 1 applied
#include <fcntl.h>
#include <unistd.h>
static char block[4096];
__attribute__((noinline)) static void copy(int from, int to) {
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
}
void both(const char *a, const char *b) {
    const int from = open(a, O_RDONLY);
    copy(from, open(b, O_WRONLY));
    copy(from, creat(a, 0600));
}
