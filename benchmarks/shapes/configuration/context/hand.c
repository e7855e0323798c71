// tags 1, 77, 3; U16 of b, VARINT of c, U32 of a; little
#include "config.h"
#include "schema.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    unsigned char *start = calloc(1, 256), *at = start;
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        struct record r = {next(&seed), seed >> 3, seed >> 13, seed * 7};
        at = start;
        *at++ = 1 << 2 | T_U16;
        *at++ = r.b;
        *at++ = r.b >> 8;
        *at++ = (77 << 2 | T_VARINT) & 127 | 128;
        *at++ = (77 << 2 | T_VARINT) >> 7;
        uint32_t v = r.c & 0x1fff;
        if (v >= 128) {
            *at++ = v | 128;
            v >>= 7;
        }
        *at++ = v;
        *at++ = 3 << 2 | T_U32;
        memcpy(at, &r.a, 4);
        at += 4;
        h = mix(h, (uint32_t)(at - start) + at[-1]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, start[i]);
    printf("%08x %d\n", h, (int)(at - start));
    return 0;
}
