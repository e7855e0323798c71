// kind 0, never fails, checked, one try, no escape
#include "config.h"
#include "writer.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0, at = 0;
    struct writer *w = writer_new();
    unsigned char *data = w->device->data;
    uint32_t seed = 1, h = 0;
#define P(c) data[at++ & 511] = (unsigned char)(c)
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        P(i >> 8);
        P(i);
        P(v >> 24);
        P(v >> 16);
        P(v >> 8);
        P(v);
        P(6);
        h = mix(h, 7);
    }
    for (int i = 0; i < 512; ++i)
        h = mix(h, w->device->data[i]);
    printf("%08x %u %u %08x\n", h, errors, at, 0);
    return 0;
}
