// A framer: header, body, trailer are phases of one stream; a word that is too large ends the frame early. Settings: magic, stuffing, checksum kind, limit
#include "shapes.h"
enum phase { IDLE, HEADER, BODY, TRAILER };
enum check { NONE, XOR, SUM };
struct framer {
    enum phase phase;
    enum check check;
    int stuffing;
    uint32_t magic, limit, sum;
    unsigned char *out;
    unsigned at;
    unsigned broken;
};

static void check_byte(struct framer *f, unsigned char c) {
    if (f->check == XOR)
        f->sum ^= c;
    else if (f->check == SUM)
        f->sum += c;
}
static void emit(struct framer *f, unsigned char c) {
    switch (f->phase) {
    case IDLE:
        return;
    case HEADER:
        break;
    case BODY:
        check_byte(f, c);
        if (f->stuffing && c == 0x7e)
            f->out[f->at++ & 255] = 0x7d;
        break;
    case TRAILER:
        c = (unsigned char)~c;
        break;
    }
    f->out[f->at++ & 255] = c;
}
static void emit_word(struct framer *f, uint32_t w) {
    emit(f, w >> 24);
    emit(f, w >> 16 & 255);
    emit(f, w >> 8 & 255);
    emit(f, w & 255);
}
static void enter(struct framer *f, enum phase p) {
    f->phase = p;
    if (p == HEADER)
        f->sum = 0;
}
static void frame(struct framer *f, uint32_t a, uint32_t b) {
    enter(f, HEADER);
    emit_word(f, f->magic);
    enter(f, BODY);
    emit_word(f, a);
    if (b > f->limit) {
        f->broken++;
    } else
        emit_word(f, b);
    enter(f, TRAILER);
    emit(f, f->sum & 255);
    enter(f, IDLE);
}
int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct framer *f = calloc(1, sizeof *f);
    f->magic = strtoul(argv[2], 0, 0);
    f->stuffing = atoi(argv[3]);
    f->check = atoi(argv[4]);
    f->limit = strtoul(argv[5], 0, 0);
    f->out = calloc(1, 256);
    uint32_t seed = 11, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t a = next(&seed);
        frame(f, a, a * 40503u);
        h = mix(h, f->sum);
    }
    for (int i = 0; i < 256; ++i)
        h = mix(h, f->out[i]);
    printf("%08x %u %u %d\n", h, f->at, f->broken, f->phase);
    return 0;
}
