// tests: code that may not use the vector registers, as a kernel's, compares slot by slot.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// FLAGS: -mno-implicit-float
#include "list.h"

static int count_first, count_second;
static void first(void *context, int argument) { count_first += argument; }
static void second(void *context, int argument) { count_second += argument; }
struct entry table[] = {{first, 0}, {second, 0}};
int seen(void) { return count_first - count_second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @thalweg.same
// CHECK: store i32 {{.*}}, ptr @count_first
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
