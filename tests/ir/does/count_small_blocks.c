// tests: the twin keeps small blocks as the optimised program will, and counts calls and those that need nothing of the library.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call {{.*}}@thalweg.malloc(i64
// CHECK: call {{.*}}@thalweg.free(ptr
// CHECK-LABEL: define internal ptr @thalweg.malloc(i64
// CHECK: store i64 %{{.*}}, ptr getelementptr inbounds (i64, ptr @thalweg_probe_counters, i64 [[CALLS:[0-9]+]])
// CHECK: @thalweg_probe_counters
// CHECK: library:
// CHECK-NOT: @thalweg_probe_counters
// CHECK: call ptr @malloc(
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return 0;
}
