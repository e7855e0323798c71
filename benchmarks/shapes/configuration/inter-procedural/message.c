#include "sum.h"
uint32_t message_sum(struct digest *d, const unsigned char *data, unsigned size) {
    unsigned char head[2] = {(unsigned char)(size >> 8), (unsigned char)size};
    digest_begin(d);
    if (d->params->length_first)
        digest_feed(d, head, 2);
    digest_feed(d, data, size);
    return digest_end(d);
}
