// tests: a large block is asked for in each round, filled, and given back.
#pragma once
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
