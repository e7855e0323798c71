#include "lib.h"
void put_bytes(struct codec *c, uint32_t v, unsigned width, int big) {
    for (unsigned i = 0; i < width; ++i)
        c->out[c->at++] = (unsigned char)(v >> 8 * (big ? width - 1 - i : i));
}
