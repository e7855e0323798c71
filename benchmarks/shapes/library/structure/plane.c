#include "lib.h"
uint32_t plane_load(const struct plane *p, uint32_t w) {
    if (p->swapped)
        w = __builtin_bswap32(w);
    w &= p->max;
    if (p->premultiplied)
        w = w * 200 >> 8;
    return p->shift ? w << p->shift : w;
}
uint32_t plane_store(const struct plane *p, uint32_t v) {
    if (p->premultiplied)
        v = v * 200 >> 8;
    v = v >> p->shift;
    if (v > p->max)
        v = p->max;
    return p->swapped ? __builtin_bswap32(v) : v;
}
