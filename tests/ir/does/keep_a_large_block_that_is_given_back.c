// tests: a block that is asked for and given back in each round is kept in between; where the kept one doesn't serve, malloc is asked.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK: [[SLOT:@thalweg.block.1]] = internal global [2 x i64] zeroinitializer
// CHECK-LABEL: define {{.*}} @main(
// CHECK: [[KEPT:%.*]] = call ptr @thalweg_crossing_take(ptr [[SLOT]], i64 %{{.*}}, i64 16)
// CHECK: [[NONE:%.*]] = icmp eq ptr [[KEPT]], null
// CHECK: br i1 [[NONE]], label %[[ASK:[0-9]+]], label %[[ELSE:[0-9]+]]
// CHECK: [[ASK]]:
// CHECK: [[NEW:%.*]] = {{.*}}call {{.*}}ptr @malloc(i64
// CHECK: phi ptr [ [[NEW]], %[[ASK]] ], [ [[KEPT]], %[[ELSE]] ]
// CHECK: call void @thalweg_crossing_give_back(ptr [[SLOT]],
// CHECK-NOT: call void @free(
// CHECK: decision 1 applied: one block is kept between 1 call(s) of free and 1 of malloc
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    const size_t size = 1000 * strtoul(words[1], NULL, 10);
    for (int i = 0; i < count; ++i) {
        char *block = malloc(size);
        if (!block)
            return 1;
        if (read(0, block, size) < 1)
            return 2;
        free(block);
    }
    return 0;
}
