// benchmarks: runs an operation again and again on values that change.   main COUNT SETTING...
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "program.h"

enum { VALUES = 64, SETTINGS = 8 };

int main(int argc, char **argv) {
    int settings[SETTINGS] = {0};
    uint32_t values[VALUES];
    uint32_t digest = 1;
    if (argc < 3) {
        fprintf(stderr, "usage: %s COUNT SETTING...\n", argv[0]);
        return 2;
    }
    const uint64_t count = strtoull(argv[1], NULL, 10);
    for (int i = 2; i < argc && i - 2 < SETTINGS; ++i)
        settings[i - 2] = atoi(argv[i]);
    for (unsigned i = 0; i < VALUES; ++i)
        values[i] = i * 0x01234567u;
    void *handle = configure(settings);
    for (uint64_t i = 0; i < count; ++i) {
        values[i % VALUES] += (uint32_t)i;
        // Values came from outside: memory is as little known to the compiler as after reading a message.
        __asm__ volatile("" : : "r"(values), "r"(handle) : "memory");
        digest = mixed(digest, operate(handle, values, VALUES));
    }
    printf("digest %08" PRIx32 "\n", mixed(digest, left_behind(handle)));
    return 0;
}
