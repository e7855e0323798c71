// A packet packer: fields of given widths, some of them fixed by settings. Settings: version, kind, widths of kind, length, payload, parity
#include "shapes.h"
struct bits {
    uint32_t acc;
    unsigned have;
    unsigned char *out;
    unsigned at;
    int parity;
    unsigned ones;
};
struct layout {
    unsigned version, kind, kind_bits, length_bits, payload_bits;
};

static __attribute__((noinline)) void put_bits(struct bits *b, uint32_t value, unsigned width) {
    while (width > 0) {
        unsigned room = 8 - b->have;
        unsigned take = width < room ? width : room;
        uint32_t part = value >> (width - take) & ((1u << take) - 1);
        b->acc = b->acc << take | part;
        b->have += take;
        width -= take;
        if (b->have == 8) {
            if (b->parity)
                b->ones += __builtin_popcount(b->acc & 255);
            b->out[b->at++] = (unsigned char)b->acc;
            b->acc = 0;
            b->have = 0;
        }
    }
}
static void align(struct bits *b) {
    if (b->have)
        put_bits(b, 0, 8 - b->have);
}
static void put_packet(struct bits *b, const struct layout *l, uint32_t length, uint32_t payload) {
    b->at = 0;
    put_bits(b, l->version, 4);
    put_bits(b, l->kind, l->kind_bits);
    put_bits(b, length, l->length_bits);
    put_bits(b, payload, l->payload_bits);
    align(b);
    if (b->parity)
        put_bits(b, b->ones & 255, 8);
}
int main(int argc, char **argv) {
    if (argc < 8)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct layout *l = malloc(sizeof *l);
    l->version = atoi(argv[2]);
    l->kind = atoi(argv[3]);
    l->kind_bits = atoi(argv[4]);
    l->length_bits = atoi(argv[5]);
    l->payload_bits = atoi(argv[6]);
    struct bits *b = calloc(1, sizeof *b);
    b->out = calloc(1, 64);
    b->parity = atoi(argv[7]);
    uint32_t seed = 3, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        put_packet(b, l, v >> 20, v >> 4);
        h = mix(h, b->out[b->at - 1] + b->out[2]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, b->out[i]);
    printf("%08x %u %u\n", h, b->at, b->ones);
    return 0;
}
