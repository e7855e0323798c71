// tests: in the twin of a program that asks what is allocated calls are counted, and nothing is kept.
// RUN: %probe %s | %check %s
// CHECK-NOT: @thalweg_crossing_small_blocks
// CHECK: call {{.*}}@thalweg.malloc(i64
// CHECK-LABEL: define internal ptr @thalweg.malloc(i64
// CHECK: store i64 %{{.*}}, ptr getelementptr inbounds (i64, ptr @thalweg_probe_counters, i64 [[CALLS:[0-9]+]])
// CHECK-NOT: @thalweg_probe_counters
// CHECK: call ptr @malloc(
// CHECK-NOT: @thalweg_crossing_small_blocks
#include <malloc.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    return write(1, block, 0) != 0 || mallinfo2().uordblks == 0;
}
