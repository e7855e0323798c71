// tests: a program that asks for a block in each round, has a function of its own that was not taken in where it is called, and a list.
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include "list.h"

void first(void *context, int argument);
void second(void *context, int argument);
const void *handlers[] = {(const void *)first, (const void *)second};

// Once too often called to be taken in: LLVM's inliner has a threshold of 225 instructions at -O2.
#define FOUR(x) x x x x
#define STEP sum = sum * 31 + bytes[sum & 7];
long work(const char *bytes, long sum) {
    FOUR(FOUR(FOUR(STEP)))
    return sum;
}

__attribute__((noinline)) void raise_all(struct entry *list, int count, int argument) {
    for (int i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}

int main(int count, char **words) {
    long sum = 0;
    for (int i = 0; i < count; ++i) {
        char *block = malloc(1000 * strtoul(words[1], NULL, 10));
        if (!block || read(0, block, 100) < 1)
            return 2;
        sum += work(block, sum) ^ work(block + 8, i);
        free(block);
    }
    return (int)sum;
}
