// tests: a program that declares no types does not grow by the raise of events that have some.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_it/0 = handler
#include "declared_raise.h"

void handler(void *context, thalweg_event *event, const thalweg_value *arguments, size_t count);
const void *handlers[] = {(const void *)handler};

// CHECK-LABEL: define {{.*}}i32 @raise_it(
// CHECK: call i32 @thalweg_raise_declared(
// CHECK: {{^}}}
// CHECK: decision 1 refused: no dispatch loop number 0 in a function raise_it
