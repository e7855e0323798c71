// tests: where a program declares types, each of its raises is a site of its own; the types are compared before the path is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_it/1 = handler
#include "declared_raise.h"

void handler(void *context, thalweg_event *event, const thalweg_value *arguments, size_t count);
const void *handlers[] = {(const void *)handler};
void declare(thalweg_event *event) {
    const thalweg_type type = THALWEG_INTEGER;
    thalweg_event_declare(event, &type, 1);
}

// The path is for events that are declared (4) and neither typed nor locked.
// CHECK: { ptr @thalweg.path.targets, i32 1, i32 1, i32 7, i32 4 }
// CHECK-LABEL: define {{.*}}i32 @raise_it(
// CHECK-NOT: call {{.*}}@thalweg_raise_declared(
// The count, the type, the path.
// CHECK: icmp eq i64 {{.*}}, 1
// CHECK: icmp eq i32 1, %
// CHECK: [[PATH:%.*]] = load i32, ptr %{{.*}}, align 4
// CHECK-NEXT: icmp eq i32 [[PATH]], 1
// CHECK: call void @handler(
// CHECK: {{^}}}
// CHECK: decision 1 applied
