// tests: a list's recorded context stands for the one that was found equal to it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@count
// FLAGS: -mno-implicit-float
#include "list.h"

int count;
static void add(void *context, int argument) { *(int *)context += argument; }
struct entry table[] = {{add, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-DAG: icmp eq ptr {{.*}}, @add
// CHECK-DAG: icmp eq ptr {{.*}}, @count
// CHECK: store i32 {{.*}}, ptr @count
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
