// tests: the calls that ask for a block and give it back may stand in functions of their own, and the address in memory; what callers were
// known to leave alone is forgotten.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist aligned_block/0 give_up/0
// CHECK-LABEL: define {{.*}} @aligned_block(
// CHECK: [[KEPT:%.*]] = call ptr @thalweg_crossing_take(ptr @thalweg.block.1, i64 %size, i64 4096)
// CHECK: call i32 @posix_memalign(
// CHECK: store ptr [[KEPT]], ptr %block
// CHECK: phi i32 {{.*}}[ 0,
// CHECK: define internal {{.*}} @give_up(ptr noundef %block)
// CHECK: call void @thalweg_crossing_give_back(ptr @thalweg.block.1, ptr {{.*}}%block)
// CHECK: decision 1 applied: one block is kept between 1 call(s) of free and 1 of posix_memalign
#define _GNU_SOURCE
#include <stdlib.h>
__attribute__((noinline)) static void *aligned_block(size_t alignment, size_t size) {
    void *block;
    return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}
__attribute__((noinline)) static void give_up(void *block) { free(block); }
void fill(void *block, size_t size);
int main(int count, char **words) {
    const size_t size = 1000 * strtoul(words[1], NULL, 10);
    for (int i = 0; i < count; ++i) {
        void *block = aligned_block(4096, size);
        fill(block, size);
        give_up(block);
    }
    return 0;
}
