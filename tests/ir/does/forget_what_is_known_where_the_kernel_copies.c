// tests: what is known of a descriptor that was just opened is forgotten before the kernel copies from it, which moves its offset.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse copy/2 copy/3
// PLAN: 2 elide copy/2 copy/1
// CHECK: call void @thalweg_crossing_opened(
// CHECK: [[KNOWN:%.*]] = {{.*}}@thalweg.stretch
// CHECK-NEXT: store i32 0, ptr [[KNOWN]]
// CHECK-NEXT: call i64 @thalweg_crossing_copy(
// CHECK: call i64 @thalweg_crossing_read(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include <fcntl.h>
#include <unistd.h>
__attribute__((noinline)) static int copy(const char *a, const char *b) {
    char block[4096];
    const int to = open(b, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int from = open(a, O_RDONLY);
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, (size_t)n);
    close(from);
    close(to);
    return 0;
}
int main(int count, char **words) { return count < 3 ? 0 : copy(words[1], words[2]); }
