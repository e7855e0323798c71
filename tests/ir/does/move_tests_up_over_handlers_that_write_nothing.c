// tests: when no handler can change the list, all tests stand before the first handler, and none between two.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

// Each writes where no list can be.
static int count_first, count_second;
static void first(void *context, int argument) { count_first += argument; }
static void second(void *context, int argument) { count_second += argument; }
struct entry table[] = {{first, 0}, {second, 0}};
int seen(void) { return count_first - count_second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-DAG: icmp {{eq|ne}} ptr {{.*}}, @first
// CHECK-DAG: icmp {{eq|ne}} ptr {{.*}}, @second
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr @count_second
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
