// tests: what is written to memory that is not the function's own, before the call, others may see: where the second slot is not the recorded one,
// it is not written again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
long at;

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: %[[same:[0-9]+]] = icmp eq ptr %[[called:[0-9]+]], @first
// CHECK-NEXT: br i1 %[[same]], label %{{[0-9a-z]+}}, label %[[left:[0-9a-z]+]]
// CHECK: [[left]]:
// CHECK-NEXT: {{(tail )?}}call void %[[called]](
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        at = i;
        list[i].function(list[i].context, argument);
    }
}
