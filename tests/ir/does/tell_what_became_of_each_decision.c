// tests: every decision of a plan is told of once, with a reason, in the outcome and as a remark at the dispatch's line:
// applied or missed.
// FLAGS: -g
// RUN: %optimize --remarks %s 2>&1 | %check %s
// PLAN: 1 merge raise_all/0 = first second
// PLAN: 2 merge raise_all/0 refusal=by-hand = second first
// PLAN: 3 merge raise_all/0 hash=0x1 = first
// PLAN: 4 merge raise_gone/0 hash=0x1 = first
// PLAN: 5 subsume raise_all/0 in 3.0 = first
#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        // CHECK-DAG: remark: {{.*}}each_decision.c:[[@LINE+1]]:9: decision 1 () applied: 2 targets merged into a straight line
        list[i].function(list[i].context, argument);
}
// CHECK-DAG: remark: {{.*}} decision 2 () not applied: the plan refuses it: it gives no reason
// CHECK-DAG: remark: {{.*}} decision 3 () not applied: stale: raise_all has changed since it was recorded
// CHECK-DAG: remark: {{.*}} decision 4 () not applied: no dispatch loop number 0 in a function raise_gone
// CHECK-DAG: remark: {{.*}} decision 5 () not applied: the super-handler of decision 3, which it belongs to, is not made
// CHECK-DAG: decision 1 applied: 2 targets
// CHECK-DAG: decision 2 refused: the plan refuses it
// CHECK-DAG: decision 3 refused: stale
// CHECK-DAG: decision 4 refused: no dispatch loop
// CHECK-DAG: decision 5 refused: the super-handler of decision 3
