// tests: a handler that can't be unfolded is called directly, and the outcome says why.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = measured plain
#include "list.h"

int count;
void fill(char *bytes, int size);
static void measured(void *context, int argument) {
    char bytes[argument];
    fill(bytes, argument);
}
static void plain(void *context, int argument) { count += argument; }
struct entry table[] = {{measured, 0}, {plain, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @measured(
// CHECK: store i32 {{.*}}, ptr @count
// CHECK: {{^}}}
// CHECK: decision 1 applied: 2 targets merged into a straight line in raise_all; measured is still called: it takes stack space of a size known at run time only
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
