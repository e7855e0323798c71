/* benchmarks: a program's blocks of memory, as the C library gives them or as the program keeps them itself. */
#pragma once

#include <stddef.h>

void *ask(size_t size);
/* `from`: the block's size so far. */
void *grow(void *block, size_t from, size_t to);
void give_back(void *block, size_t size);
