// version 5, kind 9, widths 4, 12, 20: 40 bits; no parity
#define main original_main
#include "prog.c"
#undef main
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 0), at = 0;
    unsigned char *out = calloc(1, 64);
    uint32_t seed = 3, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed), len = v >> 20, pay = v >> 4;
        out[0] = 0x59;
        out[1] = (unsigned char)(len >> 4);
        out[2] = (unsigned char)((len & 15) << 4 | (pay >> 16 & 15));
        out[3] = (unsigned char)(pay >> 8);
        out[4] = (unsigned char)pay;
        at = 5;
        h = mix(h, out[4] + out[2]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, out[i]);
    printf("%08x %u %u\n", h, at, 0);
    return 0;
}
