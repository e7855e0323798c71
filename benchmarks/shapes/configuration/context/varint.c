#include "schema.h"
void put_varint(struct writer *w, uint32_t v) {
    for (; v >= 128; v >>= 7)
        *w->at++ = (unsigned char)(v | 128);
    *w->at++ = (unsigned char)v;
}
