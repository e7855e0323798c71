#include "lib.h"
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    if (hash_init(atoi(argv[2]), 77))
        return 3;
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        h ^= hash_pair(v, i);
    }
    printf("%08x\n", h);
    return 0;
}
