// tests: a function that one handler chooses, and another one calls through a pointer, becomes part of the line.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = choose run
#include "list.h"

int last;
static void (*chosen)(int);
static void put(int argument) { last = argument; }
static void choose(void *context, int argument) { chosen = put; }
static void run(void *context, int argument) { chosen(argument); }
struct entry table[] = {{choose, 0}, {run, 0}};
void somebody_elses(void (*function)(int)) { chosen = function; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: store ptr @put, ptr @chosen
// CHECK-NOT: call void
// CHECK: store i32 %argument, ptr @last
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
