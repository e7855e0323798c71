// tests: a raise and the one inside it, of events at known addresses, are tested together: one load, one compare.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_outer*
// PLAN: 2 subsume *plain*on_outer*/0 in 1.0 = *plain*on_first* *plain*on_second*
#include "two_events.h"
void use() {
    bind_all();
    raise_outer(1);
}
// The group: both events, each with its path.
// CHECK: @thalweg.group.members = private constant [2 x
// CHECK-SAME: { ptr @outer, i32 [[OUTER:[12]]], i32 0 }
// CHECK-SAME: { ptr @inner, i32 {{[12]}}, i32 0 }
// CHECK: section "thalweg_groups"
// CHECK-LABEL: define {{.*}}void @raise_outer(
// CHECK: load i32, ptr @thalweg.group.0
// CHECK: icmp
// CHECK: br i1
// CHECK: decision 1 applied
// CHECK: decision 2 applied: taken into the super-handler of decision 1
