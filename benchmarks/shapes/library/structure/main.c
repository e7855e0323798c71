#include "lib.h"
int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct converter *c = converter_open(argv[2], argv[3]);
    uint32_t from[32], to[32] = {0}, seed = 1, h = 0;
    for (int i = 0; i < 32; ++i)
        from[i] = next(&seed);
    for (unsigned i = 0; i < n; ++i) {
        from[i & 31] += i;
        converter_run(c, from, to, 32);
        h = mix(h, to[i * 5 & 31]);
    }
    printf("%08x %u\n", h, c->error);
    return 0;
}
