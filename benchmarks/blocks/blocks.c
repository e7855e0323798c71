/* benchmarks: blocks of the C library. */
#include "blocks.h"

#include <stdlib.h>

void *ask(size_t size) { return malloc(size); }
void *grow(void *block, size_t from, size_t to) {
    (void)from;
    return realloc(block, to);
}
void give_back(void *block, size_t size) {
    (void)size;
    free(block);
}
