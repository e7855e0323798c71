// tests: a variable that others know the address of may be what an iteration reads before it fills that variable: begun again, it would read
// another value. Where the second slot is not the recorded one, the iteration goes on behind the store.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
void seen_by(int *rounds);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: %[[same:[0-9]+]] = icmp eq ptr %[[called:[0-9]+]], @first
// CHECK-NEXT: br i1 %[[same]], label %{{[0-9a-z]+}}, label %[[left:[0-9a-z]+]]
// CHECK: [[left]]:
// CHECK-NEXT: {{(tail )?}}call void %[[called]](
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    int rounds;
    seen_by(&rounds);
    for (long i = 0; i < count; ++i) {
        rounds = *(int *)list[i].context + 1;
        list[i].function(list[i].context, argument);
    }
}
