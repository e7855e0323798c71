// tests: a layer beneath a handler, called through a table that its context leads to, becomes part of the line.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = write_down@device
#include "list.h"

struct operations {
    void (*put)(int *where, int argument);
};
struct device {
    const struct operations *operations;
    int *where;
};
int last;
static void put(int *where, int argument) { *where = argument; }
static const struct operations operations = {put};
const struct device device = {&operations, &last};

static void write_down(void *context, int argument) {
    const struct device *to = context;
    to->operations->put(to->where, argument);
}
struct entry table[] = {{write_down, (void *)&device}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @put(
// CHECK: store i32 %argument, ptr @last
// CHECK-NOT: call void @put(
// CHECK: {{^}}}
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
