// width 16, poly 0x1021, init 0xffff, xorout 0, nothing reflected, no length
#include "config.h"
#include "sum.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct digest *d = digest_new();
    unsigned char buffer[64];
    uint32_t seed = 1, h = 0;
    for (int i = 0; i < 64; ++i)
        buffer[i] = next(&seed) >> 24;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        buffer[v >> 26] = v >> 16;
        unsigned size = 16 + (v >> 8 & 15);
        uint32_t s = 0xffff;
        for (unsigned k = 0; k < size; ++k)
            s = (s << 8 ^ d->table[(s >> 8 ^ buffer[k]) & 255]) & 0xffff;
        d->state = s;
        d->count = size;
        h = mix(h, s);
    }
    printf("%08x %08x %u\n", h, d->state, d->count);
    return 0;
}
