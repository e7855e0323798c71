// tests: a list that is not the recorded one leaves the line at the right handler, with the right rest.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_indexed/0 = first second third
// PLAN: 2 merge raise_linked/0 = first second third
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: ; the same
#include "list.h"
#include "show.h"

static void first(void *context, int argument) { show("first", *(int *)context += argument); }
static void second(void *context, int argument) { show("second", *(int *)context += 2 * argument); }
static void third(void *context, int argument) { show("third", *(int *)context += 3 * argument); }

struct node {
    struct entry entry;
    struct node *next;
};

__attribute__((noinline)) long raise_indexed(const struct entry *list, long count, int argument) {
    long i = 0;
    for (; i < count; ++i)
        list[i].function(list[i].context, argument);
    return i;
}
__attribute__((noinline)) void raise_linked(const struct node *node, int argument) {
    for (; node; node = node->next)
        node->entry.function(node->entry.context, argument);
}

int main(void) {
    void (*functions[])(void *, int) = {first, second, third};
    int values[5] = {0};
    // Every list of up to five of the three.
    for (int length = 0; length <= 5; ++length) {
        int lists = 1;
        for (int i = 0; i < length; ++i)
            lists *= 3;
        for (int which = 0; which < lists; ++which) {
            struct entry list[5];
            struct node nodes[5];
            for (int i = 0, rest = which; i < length; ++i, rest /= 3) {
                list[i] = (struct entry){functions[rest % 3], &values[i]};
                nodes[i] = (struct node){list[i], i + 1 < length ? &nodes[i + 1] : 0};
            }
            show("ran", raise_indexed(list, length, which));
            raise_linked(length ? nodes : 0, which);
        }
    }
    show("left", values[4]);
    return 0;
}
