// tests: a loop that asks whether it ends in the middle of an iteration, before its call and behind it. What comes before the test is done once more
// than there are calls.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge before/0 = first first
// PLAN: 2 merge behind/0 = first first
#include "list.h"

void first(void *context, int argument);
const void *handlers[] = {(const void *)first};
void lock(void), unlock(void);
int begins(int);

// CHECK-LABEL: define {{.*}}void @before(
// CHECK: call void @lock(
// CHECK: call void @first(
// CHECK: call void @lock(
// CHECK: call void @first(
// CHECK: call void @lock(
// CHECK-NOT: call void @first(
// CHECK: {{^}}}
__attribute__((noinline)) void before(struct entry **queue, int argument) {
    for (;;) {
        if (begins(argument))
            lock();
        struct entry *one = *queue;
        if (!one) {
            unlock();
            break;
        }
        *queue = one + 1;
        unlock();
        one->function(one->context, argument);
    }
}

// CHECK-LABEL: define {{.*}}void @behind(
// CHECK: call void @first(
// CHECK: call void @first(
// CHECK-NOT: call void @first(
// CHECK: {{^}}}
// CHECK: decision 1 applied
// CHECK: decision 2 applied
__attribute__((noinline)) void behind(const struct entry *list, int argument) {
    for (;;) {
        list->function(list->context, argument);
        if (!list->context)
            break;
        ++list;
        if (begins(argument))
            lock();
    }
}
