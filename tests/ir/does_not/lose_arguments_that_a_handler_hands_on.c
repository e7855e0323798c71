// tests: a handler of the line gives the arguments' address away; they are in memory before it does.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_pair/0 = show@sum
#include "marshalled_raise.h"
long sum;
void somewhere_else(struct arguments *arguments);
void show(void *context, struct arguments *arguments) { somewhere_else(arguments); }
thalweg_core event;
// CHECK-LABEL: define {{.*}}void @raise_pair(
// CHECK: store i64 %left
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK-NEXT: br i1
// CHECK: call void @somewhere_else
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_pair(long left, long right) {
    struct arguments arguments;
    arguments.values[0] = left;
    arguments.values[1] = right;
    raise_marshalled(&event, &arguments);
}
