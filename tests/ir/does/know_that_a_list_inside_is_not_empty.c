// tests: the tests of a list inside a handler come to the front too: where it ends tells that it is not empty.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = outer@inside
// PLAN: 2 subsume outer/0 in 1.0 = first@count_first second@count_second
#include "list.h"

struct list {
    struct entry *begin, *end;
} inside;
int count_first, count_second, count_outer;
static void first(void *context, int argument) { *(int *)context += argument; }
static void second(void *context, int argument) { *(int *)context -= argument; }
static void outer(void *context, int argument) {
    const struct list *list = context;
    count_outer += argument;
    for (const struct entry *one = list->begin; one != list->end; ++one)
        one->function(one->context, argument);
}
struct entry table[] = {{first, 0}, {second, 0}, {outer, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call i1 @thalweg.same
// CHECK: call i1 @thalweg.same
// CHECK: store i32 {{.*}}, ptr @count_outer
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: br i1
// CHECK: store i32 {{.*}}, ptr @count_second
// CHECK: decision 2 applied
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
