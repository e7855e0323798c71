#include "session.h"
uint32_t transform(const struct session *s, uint32_t w) {
    if (s->masked)
        w ^= s->mask;
    if (s->swapped)
        w = __builtin_bswap32(w);
    return w;
}
