/* benchmarks: the limit: a list of each size, without bound, by who knows each block's size and asks nothing. */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 16, LARGEST = 1024 };
static void *lists[LARGEST / UNIT + 1];

static size_t class_of(size_t size) { return (size + UNIT - 1) / UNIT; }

void *ask(size_t size) {
    void **list = &lists[class_of(size)];
    void *block = *list;
    if (!block)
        return malloc(class_of(size) * UNIT);
    memcpy(list, block, sizeof *list);
    return block;
}
void give_back(void *block, size_t size) {
    void **list = &lists[class_of(size)];
    memcpy(block, list, sizeof *list);
    *list = block;
}
void *grow(void *block, size_t from, size_t to) {
    if (class_of(from) == class_of(to))
        return block;
    void *other = ask(to);
    memcpy(other, block, from);
    give_back(block, from);
    return other;
}
