// tests: a way past the first call is no way of an iteration that makes both: neither does it lead into the line, nor out of it where the iteration
// goes as recorded.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first#0 second#1 first#0 second#1
#include "list.h"

void tell(int argument);
void first(void *context, int argument), second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

struct two {
    void (*sometimes)(void *, int);
    void (*always)(void *, int);
    void *context;
};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @second(
// CHECK: call void @first(
// CHECK: call void @second(
// CHECK: {{^}}}
// CHECK: decision 1 applied: 4 targets merged into a straight line
__attribute__((noinline)) void raise_all(const struct two *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        if (list[i].sometimes) {
            if (argument & 1)
                tell(argument);
            list[i].sometimes(list[i].context, argument);
        }
        list[i].always(list[i].context, argument);
    }
}
