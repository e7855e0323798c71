// tests: an instruction of a merged handler has its own line, inlined at the line of the call in the loop.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first
// FLAGS: -g
#include "list.h"

extern int values[8];
static void first(void *context, int argument) {
    values[1] = argument; // the handler
}
struct entry table[] = {{first, 0}};

__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument); // the call
}
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: store i32 %argument, {{.*}}@values{{.*}}, !dbg [[PLACE:![0-9]+]],
// CHECK: [[HANDLER:![0-9]+]] = distinct !DISubprogram(name: "first"
// CHECK: [[PLACE]] = !DILocation(line: 9, column: {{[0-9]+}}, scope: [[HANDLER]], inlinedAt: [[CALL:![0-9]+]])
// CHECK: [[CALL]] = distinct !DILocation(line: 15,
