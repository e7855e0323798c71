// tests: a context that is the end of a variable may be the beginning of what lies behind it: it stays whatever it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@count+4
#include "list.h"

int count;
static void add(void *context, int argument) { *(int *)context += argument; }
struct entry table[] = {{add, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @count
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long length, int argument) {
    for (long i = 0; i < length; ++i)
        list[i].function(list[i].context, argument);
}
