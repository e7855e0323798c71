// version 2: little; flags 0x80; size of 3; text signed 4
#include "lib.h"
static __attribute__((noinline)) void packet(struct codec *c, uint32_t v) {
    unsigned char *o = c->out;
    o[0] = 0x34;
    o[1] = 0x12;
    o[2] = 0x80;
    uint32_t s = v >> 8, t = v << 1 ^ (uint32_t)((int32_t)v >> 31);
    o[3] = s;
    o[4] = s >> 8;
    o[5] = s >> 16;
    memcpy(o + 6, &t, 4);
    c->at = 10;
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct codec *c = codec_new(atoi(argv[2]));
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        packet(c, next(&seed));
        h = mix(h, c->at + c->out[c->at - 1]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, c->out[i]);
    printf("%08x %u\n", h, c->at);
    return 0;
}
