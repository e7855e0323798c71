// tests: a list's recorded contexts are a hint: a handler runs with the context that stands in the list.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_all/0 = add@b add@b
// PLAN: 2 merge raise_range/0 = add@b add@b+4 add@a
// CHECK: ; the same
#include "list.h"
#include "show.h"

int a, b[2];
static void add(void *context, int argument) { *(int *)context += argument; }
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
__attribute__((noinline)) void raise_range(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
int main(void) {
    const struct entry list[2] = {{add, &a}, {add, &b}};
    int *const contexts[] = {&a, &b[0], &b[1]};
    for (int i = 0; i < 81; ++i) {
        const struct entry four[4] = {
            {add, contexts[i % 3]}, {add, contexts[i / 3 % 3]}, {add, contexts[i / 9 % 3]}, {add, b}};
        raise_range(four, four + 3 + i / 54, i + 1);
    }
    raise_all(list, 2, 5);
    raise_all(list, 1, 3);
    show("a", a);
    show("b", b[0]);
    show("end of b", b[1]);
}
