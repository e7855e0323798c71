// A formatter driven by a parsed format: %x %b %c and literals. Each emitter returns how much it wrote, or -1. Settings: format, maximal size
#include "shapes.h"
enum what { LITERAL, HEX, BINARY, CHAR };
struct piece {
    enum what what;
    int width;
    char text;
};
struct format {
    int count;
    int maximum;
    struct piece pieces[16];
};
struct out {
    char *text;
    int at;
};

static int parse(struct format *f, const char *s) {
    for (f->count = 0; *s; ++s, ++f->count) {
        if (f->count == 16)
            return -1;
        struct piece *p = &f->pieces[f->count];
        if (*s != '%') {
            p->what = LITERAL;
            p->text = *s;
            p->width = 1;
            continue;
        }
        p->width = *++s - '0';
        switch (*++s) {
        case 'x':
            p->what = HEX;
            break;
        case 'b':
            p->what = BINARY;
            break;
        case 'c':
            p->what = CHAR;
            break;
        default:
            return -1;
        }
    }
    return 0;
}
static int put(struct out *o, char c) {
    o->text[o->at++] = c;
    return 1;
}
static int put_digits(struct out *o, uint32_t v, int width, int shift) {
    int done = 0;
    for (int i = width - 1; i >= 0; --i)
        done += put(o, "0123456789abcdef"[v >> (i * shift) & ((1u << shift) - 1)]);
    return done;
}
static int put_piece(struct out *o, const struct piece *p, uint32_t v) {
    switch (p->what) {
    case LITERAL:
        return put(o, p->text);
    case HEX:
        return p->width > 8 ? -1 : put_digits(o, v, p->width, 4);
    case BINARY:
        return p->width > 9 ? -1 : put_digits(o, v, p->width, 1);
    case CHAR: {
        int done = 0;
        for (int i = 0; i < p->width; ++i)
            done += put(o, (char)('a' + (v & 15)));
        return done;
    }
    }
    return -1;
}
static int render(struct out *o, const struct format *f, uint32_t v) {
    int total = 0;
    o->at = 0;
    for (int i = 0; i < f->count; ++i) {
        int done = put_piece(o, &f->pieces[i], v);
        if (done < 0)
            return -1;
        total += done;
        if (total > f->maximum)
            return -2;
    }
    o->text[o->at] = 0;
    return total;
}
int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct format *f = calloc(1, sizeof *f);
    if (parse(f, argv[2]))
        return 3;
    f->maximum = atoi(argv[3]);
    struct out o = {calloc(1, 256), 0};
    uint32_t seed = 9, h = 0, errors = 0;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed) >> 7;
        int r = render(&o, f, v);
        if (r < 0)
            errors++;
        else
            h = mix(h, r + o.text[r - 1] + o.text[2]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, o.text[i]);
    printf("%08x %u %d\n", h, errors, o.at);
    return 0;
}
