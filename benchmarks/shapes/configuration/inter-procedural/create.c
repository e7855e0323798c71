#include "config.h"
#include "sum.h"
struct digest *digest_new(void) {
    struct params *p = malloc(sizeof *p);
    struct digest *d = calloc(1, sizeof *d);
    p->width = config_get("width", 32);
    p->poly = config_get("poly", 0x04c11db7);
    p->init = config_get("init", -1);
    p->xorout = config_get("xorout", -1);
    p->reflect_in = config_get("reflect_in", 0);
    p->reflect_out = config_get("reflect_out", 0);
    p->length_first = config_get("length_first", 0);
    d->params = p;
    for (unsigned i = 0; i < 256; ++i) {
        uint32_t c = i << (p->width - 8);
        for (int k = 0; k < 8; ++k)
            c = c >> (p->width - 1) & 1 ? c << 1 ^ p->poly : c << 1;
        d->table[i] = p->width == 32 ? c : c & ((1u << p->width) - 1);
    }
    return d;
}
