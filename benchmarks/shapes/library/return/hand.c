#include "lib.h"
static PUBLIC int render(char *t, uint32_t v) {
    static const char hex[] = "0123456789abcdef";
    t[0] = 'a';
    t[1] = hex[v >> 12 & 15];
    t[2] = hex[v >> 8 & 15];
    t[3] = hex[v >> 4 & 15];
    t[4] = hex[v & 15];
    t[5] = ':';
    t[6] = hex[v >> 4 & 15];
    t[7] = hex[v & 15];
    t[8] = 0;
    return 8;
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0;
    char text[128] = "";
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        int r = render(text, next(&seed));
        h = mix(h, r + text[r ? r - 1 : 0]);
    }
    for (int i = 0; i < 16; ++i)
        h = mix(h, text[i]);
    printf("%08x %u\n", h, errors);
    return 0;
}
