// magic 0xcafe0102, no stuffing, XOR, limit 3000000000
#define main original_main
#include "prog.c"
#undef main
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 0), at = 0, broken = 0;
    unsigned char *out = calloc(1, 256);
    uint32_t seed = 11, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t a = next(&seed), b = a * 40503u, sum;
#define P(c) out[at++ & 255] = (unsigned char)(c)
        P(0xca);
        P(0xfe);
        P(1);
        P(2);
        P(a >> 24);
        P(a >> 16);
        P(a >> 8);
        P(a);
        sum = (a >> 24) ^ (a >> 16 & 255) ^ (a >> 8 & 255) ^ (a & 255);
        if (b > 3000000000u)
            broken++;
        else {
            P(b >> 24);
            P(b >> 16);
            P(b >> 8);
            P(b);
            sum ^= (b >> 24) ^ (b >> 16 & 255) ^ (b >> 8 & 255) ^ (b & 255);
        }
        P(~sum);
        h = mix(h, sum);
    }
    for (int i = 0; i < 256; ++i)
        h = mix(h, out[i]);
    printf("%08x %u %u %d\n", h, at, broken, 0);
    return 0;
}
