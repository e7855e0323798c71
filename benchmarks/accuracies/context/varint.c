// benchmarks: the layer that writes numbers of seven bits a byte.
#include "layers.h"

void put_varint(struct writer *writer, uint32_t value) {
    while (value >= 0x80) {
        *writer->at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *writer->at++ = (uint8_t)value;
}
