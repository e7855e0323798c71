// level 1, no stamp, no escape, ring of 1024, no colour
#define main original_main
#include "prog.c"
#undef main
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 0), clock = 0, at = 0;
    char *ring = calloc(1, 1024);
    static const char hex[] = "0123456789abcdef";
    uint32_t seed = 1;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        clock++;
        int sev = v >> 30;
        if (sev < 1)
            continue;
        v >>= 8;
#define P(c) ring[at] = (c), at = (at + 1) & 1023
        P("DIWE"[sev]);
        P(':');
        P(hex[v >> 12 & 15]);
        P(hex[v >> 8 & 15]);
        P(hex[v >> 4 & 15]);
        P(hex[v & 15]);
        P('\n');
    }
    uint32_t h = clock;
    for (int i = 0; i < 1024; ++i)
        h = mix(h, ring[i]);
    printf("%08x %u %u\n", h, at, 0);
    return 0;
}
