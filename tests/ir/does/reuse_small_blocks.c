// tests: malloc, realloc and free go by the lists of the thread; a size that is known chooses its list when the program is built.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// PLAN: 2 reuse free/0
// PLAN: 3 reuse realloc/0
// PLAN: 4 reuse calloc/0
// CHECK: @thalweg_crossing_small_blocks = external thread_local(initialexec) global
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call {{.*}}@thalweg.malloc.40(i64 {{.*}}34)
// CHECK: call {{.*}}@thalweg.malloc(i64
// CHECK: call {{.*}}@thalweg.realloc(ptr
// CHECK: call {{.*}}@malloc(i64 {{.*}}2000)
// CHECK: call {{.*}}@thalweg.calloc.40(i64 {{.*}}3, i64 {{.*}}10)
// CHECK: call {{.*}}@thalweg.calloc(i64
// CHECK: call {{.*}}@calloc(i64 {{.*}}-1, i64 {{.*}}8)
// CHECK: call {{.*}}@thalweg.free(ptr
// CHECK: }
// CHECK-LABEL: define internal ptr @thalweg.malloc(i64
// CHECK: icmp ule i64 %{{.*}}, 1032
// CHECK: icmp ne i64
// CHECK: xor i64
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %damaged
// CHECK: library:
// CHECK: call ptr @malloc(
// CHECK-LABEL: define internal void @thalweg.free(ptr
// CHECK: library:
// CHECK: call void @free(
// CHECK-LABEL: define internal ptr @thalweg.realloc(ptr
// CHECK: library:
// CHECK: call ptr @realloc(
// CHECK-LABEL: define internal ptr @thalweg.calloc.40(i64
// CHECK: call void @llvm.memset.p0.i64(ptr align 16 %{{.*}}, i8 0, i64 40, i1 false)
// CHECK-LABEL: define internal ptr @thalweg.calloc(i64
// CHECK: @llvm.umul.with.overflow.i64(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *blocks[6] = {malloc(34), malloc((size_t)count * 7), NULL};
    blocks[1] = realloc(blocks[1], (size_t)count * 9);
    blocks[2] = malloc(2000);
    blocks[3] = calloc(3, 10);
    blocks[4] = calloc((size_t)count, 8);
    blocks[5] = calloc((size_t)-1, 8);
    for (int i = 0; i < 6; ++i)
        if (write(1, blocks[i], 0) != 0)
            return 1;
    for (int i = 0; i < 6; ++i)
        free(blocks[i]);
    return 0;
}
