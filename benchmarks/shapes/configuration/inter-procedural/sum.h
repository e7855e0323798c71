#pragma once
#include "shapes.h"
struct params {
    unsigned width;
    uint32_t poly, init, xorout;
    int reflect_in, reflect_out;
    int length_first;
};
struct digest {
    const struct params *params;
    uint32_t table[256];
    uint32_t state;
    unsigned count;
};
struct digest *digest_new(void);
void digest_begin(struct digest *d);
void digest_feed(struct digest *d, const unsigned char *data, unsigned size);
void digest_byte(struct digest *d, unsigned char c);
uint32_t digest_end(struct digest *d);
uint32_t reflected(uint32_t v, unsigned bits);
uint32_t message_sum(struct digest *d, const unsigned char *data, unsigned size);
