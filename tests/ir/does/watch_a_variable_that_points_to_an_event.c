// tests: a raise of the event that a variable points to is tested by a word of its own, which is looked at again after each
// change of the variable.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_current/0 = first
#include "pointed_raise.h"

static struct event *current;
void first(void *context, int argument);
const void *handlers[] = {(const void *)first};

// The member is the variable, and indirect.
// CHECK: @thalweg.group.members = private constant [1 x
// CHECK-SAME: { ptr @current, i32 1, i32 1 }
// CHECK: section "thalweg_groups"
// CHECK-LABEL: define {{.*}}void @point(
// CHECK: store ptr %to, ptr @current
// CHECK-NEXT: call void @thalweg_group_refresh(ptr
__attribute__((noinline)) void point(struct event *to) { current = to; }
// CHECK-LABEL: define {{.*}}void @make(
// CHECK: call i32 @thalweg_event_create({{.*}}@current)
// CHECK-NEXT: call void @thalweg_group_refresh(ptr
__attribute__((noinline)) void make(void) { thalweg_event_create(0, "current", (thalweg_event **)&current); }
// CHECK-LABEL: define {{.*}}void @raise_current(
// CHECK: load i32, ptr @thalweg.group.0
// CHECK-NEXT: icmp
// CHECK-NEXT: br i1
// CHECK: call void @first(
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_current(int argument) { raise_event(current, argument); }
