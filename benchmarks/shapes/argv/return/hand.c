// "id=%4x/%3b" with 40
#define main original_main
#include "prog.c"
#undef main
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 0);
    char *t = calloc(1, 256);
    static const char hex[] = "0123456789abcdef";
    uint32_t seed = 9, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed) >> 7;
        memcpy(t, "id=", 3);
        t[3] = hex[v >> 12 & 15];
        t[4] = hex[v >> 8 & 15];
        t[5] = hex[v >> 4 & 15];
        t[6] = hex[v & 15];
        t[7] = '/';
        t[8] = hex[v >> 2 & 1];
        t[9] = hex[v >> 1 & 1];
        t[10] = hex[v & 1];
        t[11] = 0;
        h = mix(h, 11 + t[10] + t[2]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, t[i]);
    printf("%08x %u %d\n", h, 0, n ? 11 : 0);
    return 0;
}
