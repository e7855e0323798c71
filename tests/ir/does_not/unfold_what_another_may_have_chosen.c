// tests: between the handler that chooses a function and the one that calls it runs what may choose another: the pointer is read again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = choose run
#include "list.h"

void somewhere_else(void);
int last;
static void (*chosen)(int);
static void put(int argument) { last = argument; }
static void choose(void *context, int argument) {
    chosen = put;
    somewhere_else();
}
static void run(void *context, int argument) { chosen(argument); }
struct entry table[] = {{choose, 0}, {run, 0}};
void somebody_elses(void (*function)(int)) { chosen = function; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: store ptr @put, ptr @chosen
// CHECK: call void @somewhere_else(
// CHECK: [[FUNCTION:%.*]] = load ptr, ptr @chosen
// CHECK: call void [[FUNCTION]](i32 {{.*}}%argument)
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
