// tests: what the program does only when there are handlers, it does before any of them is looked at.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

int sum, raises;
static void first(void *context, int argument) { sum += argument; }
static void second(void *context, int argument) { sum ^= argument; }
struct entry table[] = {{first, 0}, {second, 0}};
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NEXT: entry:
// CHECK-NEXT: icmp eq ptr %list, %end
// CHECK: store i32 {{.*}}, ptr @raises
// CHECK: call i1 @thalweg.same(
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    if (list == end)
        return;
    ++raises;
    do
        list->function(list->context, argument);
    while (++list != end);
}
