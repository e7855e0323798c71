// tests: how many slots there are says nothing of where they are: a handler that is not the recorded one may end the program
// before the second is read.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

static int count_first, count_second;
static void first(void *context, int argument) { count_first += argument; }
static void second(void *context, int argument) { count_second += argument; }
struct entry table[] = {{first, 0}, {second, 0}};
int seen(void) { return count_first - count_second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @thalweg.same
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: define internal i1 @thalweg.same
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
