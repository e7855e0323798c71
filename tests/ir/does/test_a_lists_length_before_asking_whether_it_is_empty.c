// tests: a list as long as recorded is not empty.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

int sum;
static void first(void *context, int argument) { sum += argument; }
static void second(void *context, int argument) { sum ^= argument; }
struct entry table[] = {{first, 0}, {second, 0}};
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: %[[LENGTH:.*]] = icmp eq ptr %{{[0-9]+}}, %end
// CHECK-NEXT: br i1 %[[LENGTH]], label %[[FRONT:[^,]*]], label %[[OTHER:[^,]*]]
// CHECK: [[OTHER]]:
// CHECK-NEXT: icmp eq ptr %list, %end
// CHECK: [[FRONT]]:
// CHECK-NEXT: call i1 @thalweg.same(
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
