// tests: a variable that code elsewhere may change is not watched: the event that it points to is asked at each raise. So is
// one that others can name, one that is read as bytes, and one that is volatile.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_given/0 = first
// PLAN: 2 merge raise_public/0 = first
// PLAN: 3 merge raise_copied/0 = first
// PLAN: 4 merge raise_volatile/0 = first
#include <string.h>

#include "pointed_raise.h"

static struct event *given, *copied;
struct event *public;
static struct event *volatile changing;
void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
void somewhere_else(struct event **where);

void set_all(struct event *to) {
    given = public = copied = changing = to;
    somewhere_else(&given);
}
void copy(void *out, const void *in, int length) {
    memcpy(&copied, in, sizeof copied);
    memcpy(out, &copied, (size_t)length);
}

// CHECK-NOT: thalweg.group
// CHECK-NOT: thalweg_group_refresh
// CHECK-LABEL: define {{.*}}void @raise_given(
// CHECK: [[PATH:%.*]] = load i32, ptr %{{.*}}, align 4, !tbaa
// CHECK: icmp eq i32 [[PATH]], 1
// CHECK: call void @first(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
__attribute__((noinline)) void raise_given(int argument) { raise_event(given, argument); }
__attribute__((noinline)) void raise_public(int argument) { raise_event(public, argument); }
__attribute__((noinline)) void raise_copied(int argument) { raise_event(copied, argument); }
__attribute__((noinline)) void raise_volatile(int argument) { raise_event(changing, argument); }
