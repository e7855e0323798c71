#include "lib.h"
extern uint32_t hash_seed;
static PUBLIC uint32_t pair(uint32_t a, uint32_t b) {
    uint32_t s = 77;
    s ^= a;
    s *= 0x85ebca6b;
    s ^= s >> 16;
    s *= 0x85ebca6b;
    s ^= s >> 16;
    s ^= b;
    s *= 0x85ebca6b;
    s ^= s >> 16;
    s *= 0x85ebca6b;
    s ^= s >> 16;
    return s ^ s >> 13;
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    if (hash_init(atoi(argv[2]), 77))
        return 3;
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        h ^= pair(v, i);
    }
    printf("%08x\n", h);
    return 0;
}
