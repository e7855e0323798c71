#include "lib.h"
static __attribute__((noinline)) void packet(struct codec *c, uint32_t v) {
    codec_begin(c);
    codec_put(c, F_ID, 0x1234);
    codec_put(c, F_FLAGS, v & 3);
    codec_put(c, F_SIZE, v >> 8);
    codec_put(c, F_TEXT, v);
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
