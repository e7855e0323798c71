#include "sum.h"
void digest_begin(struct digest *d) {
    d->state = d->params->init;
    d->count = 0;
}
void digest_feed(struct digest *d, const unsigned char *data, unsigned size) {
    while (size-- > 0)
        digest_byte(d, *data++);
}
uint32_t digest_end(struct digest *d) {
    const struct params *p = d->params;
    uint32_t r = d->state;
    if (p->reflect_out)
        r = reflected(r, p->width);
    return r ^ p->xorout;
}
