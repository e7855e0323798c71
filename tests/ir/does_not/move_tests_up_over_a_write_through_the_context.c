// tests: after a handler that writes through its context, the list is looked at again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

static int count_first, count_second;
static void first(void *context, int argument) {
    count_first += argument;
    *(void **)context = 0;
}
static void second(void *context, int argument) { count_second += argument; }
struct entry table[] = {{first, 0}, {second, 0}};
int seen(void) { return count_first - count_second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @second
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK: store ptr null
// CHECK: load ptr
// CHECK: icmp {{eq|ne}} ptr {{.*}}, @second
// CHECK: br i1
// CHECK: store i32 {{.*}}, ptr @count_second
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
