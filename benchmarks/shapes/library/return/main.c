#include "lib.h"
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0;
    struct format *f = strcmp(argv[2], "-") ? format_parse(argv[2]) : format_default();
    char text[128] = "";
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        int r = format_render(f, text, next(&seed));
        if (r < 0)
            errors++;
        else
            h = mix(h, r + text[r ? r - 1 : 0]);
    }
    for (int i = 0; i < 16; ++i)
        h = mix(h, text[i]);
    printf("%08x %u\n", h, errors);
    return 0;
}
