// tests: a handler is called, not taken in, where the plan says that what it raises has a line in the handler alone.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_outer*
// PLAN: 2 merge *plain*on_outer*/0 = *plain*on_first* *plain*on_second*
// PLAN: 3 subsume *plain*on_outer*/0 in 1.0 refusal=served-elsewhere = *plain*on_first* *plain*on_second*
#include "two_events.h"
void use() {
    bind_all();
    raise_outer(1);
}
// CHECK-LABEL: define {{.*}}void @raise_outer(
// CHECK-NOT: @count_first
// CHECK: {{(call|invoke) void @_Z.*plain.*on_outer}}
// CHECK-LABEL: define {{.*}}plain{{.*}}on_outer
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK: decision 1 applied
// CHECK: decision 2 applied
