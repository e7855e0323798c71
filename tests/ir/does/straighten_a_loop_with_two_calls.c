// tests: a loop that calls through two pointers an iteration: where the second is not the recorded one, the first is not called again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first#0 second#1 first#0 first#1
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first({{.*}}, i32 noundef 1)
// CHECK: icmp eq ptr %{{[0-9a-z.]+}}, @second
// CHECK-NEXT: br i1 %{{[0-9a-z.]+}}, label %{{[0-9a-z.]+}}, label %[[second:thalweg.rest[0-9]*]]
// CHECK: call void @second({{.*}}, i32 noundef 2)
// CHECK: call void @first({{.*}}, i32 noundef 1)
// CHECK: call void @first({{.*}}, i32 noundef 2)
// CHECK: [[second]]:
// CHECK: call void %{{[0-9a-z.]+}}({{.*}}, i32 noundef 2)
// CHECK: {{^}}}
// CHECK: decision 1 applied: 4 targets merged into a straight line
__attribute__((noinline)) void raise_all(const struct entry *list, const struct entry *other, long count) {
    for (long i = 0; i < count; ++i) {
        list[i].function(list[i].context, 1);
        other[i].function(other[i].context, 2);
    }
}
