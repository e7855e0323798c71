// tests: what the inner event's handlers do stands in the line of the outer one, with no call and no test in between.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_outer*
// PLAN: 2 subsume *plain*on_outer*/0 in 1.0 = *plain*on_first* *plain*on_second*
#include "two_events.h"
void use() {
    bind_all();
    raise_outer(1);
}
// CHECK-LABEL: define {{.*}}void @raise_outer(
// CHECK: store i32 {{.*}}, ptr @count_outer
// CHECK-NOT: {{(call|invoke) void (%|@_Z)|br i1}}
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: {{(call|invoke) void (%|@_Z)|br i1}}
// CHECK: store i32 {{.*}}, ptr @count_second
// CHECK: decision 2 applied
