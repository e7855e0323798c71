// tests: the loop is still there, with its call through the pointer, and takes in what leaves the line after any handler.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// CHECK-LABEL: define {{.*}}void @raise_all(
// Entered at the first handler from the front, at the second from behind the first.
// CHECK: {{^}}[[LOOP:for.body]]:
// CHECK: phi i64 {{.*\[ 0, %.*\[ 1, %|.*\[ 1, %.*\[ 0, %}}
// CHECK: [[TARGET:%.*]] = load ptr
// CHECK: call void [[TARGET]](
// CHECK: br i1 {{.*}}label %[[LOOP]]
__attribute__((noinline)) void raise_all(struct entry *list, int count, int argument) {
    for (int i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
