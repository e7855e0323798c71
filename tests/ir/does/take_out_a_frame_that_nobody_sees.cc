// tests: when all handlers are seen, nobody can look at the event's frames during the raise: none is put there.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_outer*
// PLAN: 2 subsume *plain*on_outer*/0 in 1.0 = *plain*on_first* *plain*on_second*
#include "two_events.h"
void use() {
    bind_all();
    raise_outer(1);
}
// Between the test of the group and the return of the line.
// CHECK-LABEL: define {{.*}}void @raise_outer(
// CHECK: load i32, ptr @thalweg.group.0
// CHECK: br i1 {{.*}}, label %[[OTHER:.*]], label %[[LINE:.*]], !prof
// CHECK: {{^}}[[LINE]]:
// CHECK-NOT: store ptr
// CHECK: {{ret void|br label}}
