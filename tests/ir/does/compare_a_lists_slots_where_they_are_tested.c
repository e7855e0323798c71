// tests: in the program that is linked, the compare of a list's slots is no call, and ends in one look at its bits.
// RUN: %transform optimize --passes 'lto<O2>' %s | %check %s
// PLAN: 1 merge raise_all/0 = first@count_first second@count_second
#include "list.h"

int count_first, count_second;
static void first(void *context, int argument) { *(int *)context += argument; }
static void second(void *context, int argument) { *(int *)context -= argument; }
struct entry table[] = {{first, 0}, {second, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq <4 x i32>
// CHECK: icmp eq <4 x i32>
// CHECK-NOT: call
// CHECK: icmp eq i4 {{.*}}, -1
// CHECK-NOT: define internal i1 @thalweg.same
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
