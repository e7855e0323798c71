// tests: a list's recorded contexts are a hint: a handler runs with the context that stands in the list.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_all/0 = add@b add@b
// CHECK: ; the same
#include "list.h"
#include "show.h"

int a, b;
static void add(void *context, int argument) { *(int *)context += argument; }
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
int main(void) {
    const struct entry list[2] = {{add, &a}, {add, &b}};
    raise_all(list, 2, 5);
    raise_all(list, 1, 3);
    show("a", a);
    show("b", b);
}
