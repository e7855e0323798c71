#include "sum.h"
void digest_byte(struct digest *d, unsigned char c) {
    const struct params *p = d->params;
    if (p->reflect_in)
        c = (unsigned char)reflected(c, 8);
    d->state = d->state << 8 ^ d->table[(d->state >> (p->width - 8) ^ c) & 255];
    if (p->width < 32)
        d->state &= (1u << p->width) - 1;
    d->count++;
}
