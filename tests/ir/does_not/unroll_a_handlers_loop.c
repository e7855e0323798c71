// tests: a loop of a handler's stays one, though it is known how often it runs; what is said of it stays too.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add
#include "list.h"

volatile int sums[16];
static void add(void *context, int argument) {
#pragma clang loop unroll(disable)
    for (int i = 0; i < 16; ++i)
        sums[i] += argument;
}
static void (*volatile keep)(void *, int) = add;
void use(void) { keep(0, 1); }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: store volatile i32
// CHECK-NOT: store volatile i32
// CHECK: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
// CHECK-NOT: store volatile i32
// CHECK: {{^}}}
// CHECK: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[SAID:![0-9]+]]}
// CHECK: [[SAID]] = !{!"llvm.loop.unroll.disable"}
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
