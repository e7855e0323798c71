// tests: a list from a first slot to an end is read whole and compared with an image of it: functions, and contexts that are known.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first@count_first second third@counts+4
#include "list.h"

int count_first, counts[2];
static void first(void *context, int argument) { *(int *)context += argument; }
static void second(void *context, int argument) { counts[0] -= argument; }
static void third(void *context, int argument) { *(int *)context ^= argument; }
struct entry table[] = {{first, 0}, {second, 0}, {third, 0}};

// CHECK: @thalweg.image = private {{.*}}constant [6 x ptr] [ptr @first, ptr @count_first, ptr @third, ptr getelementptr
// CHECK-SAME: (i8, ptr @counts, i64 4), ptr @second, ptr null], align 16
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-COUNT-1: call i1 @thalweg.same(
// CHECK-NEXT: br i1
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr @counts,
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr getelementptr {{.*}}@counts, i64 4
// CHECK-LABEL: define internal i1 @thalweg.same(
// CHECK-COUNT-2: load <4 x i32>
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
