// tests: a program that is to be recorded counts, by decision, how often its guards held and how often not.
// RUN: %optimize --count-guards %s | %check %s
// RUN: %optimize %s | %check --check-prefix=PLAIN %s
// PLAN: 3 merge raise_all/0 = first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// Hits of decision 3 are counter 6, failures counter 7.
// CHECK: @thalweg_probe_guards = external {{.*}}global ptr
// CHECK: @thalweg_probe_guard_count = hidden constant i64 4
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-DAG: load ptr, ptr @thalweg_probe_guards
// CHECK-DAG: i64 48
// CHECK-DAG: i64 56
// CHECK: decision 3 applied
// PLAIN-NOT: thalweg_probe
// PLAIN: decision 3 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
