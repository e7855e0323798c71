// An image filter: rows copied from a surface of one format to one of another. Settings: formats of both, flips, inverted
#include "shapes.h"
enum format { GRAY8, RGB565, RGB888 };
struct surface {
    enum format format;
    int width, height, pitch;
    int mirrored, inverted;
    unsigned char *pixels;
    int row;
};
struct rgb {
    unsigned r, g, b;
};

static unsigned bytes(enum format f) { return f == GRAY8 ? 1 : f == RGB565 ? 2 : 3; }
static unsigned char *place(const struct surface *s, int x) {
    if (s->mirrored)
        x = s->width - 1 - x;
    return s->pixels + s->row * s->pitch + x * (int)bytes(s->format);
}
static struct rgb get_pixel(const struct surface *s, int x) {
    const unsigned char *p = place(s, x);
    struct rgb c = {0, 0, 0};
    unsigned w;
    switch (s->format) {
    case GRAY8:
        c.r = c.g = c.b = p[0];
        break;
    case RGB565:
        w = p[0] | p[1] << 8;
        c.r = w >> 11 << 3;
        c.g = (w >> 5 & 63) << 2;
        c.b = (w & 31) << 3;
        break;
    case RGB888:
        c.r = p[0];
        c.g = p[1];
        c.b = p[2];
        break;
    }
    if (s->inverted) {
        c.r ^= 255;
        c.g ^= 255;
        c.b ^= 255;
    }
    return c;
}
static void put_pixel(struct surface *s, int x, struct rgb c) {
    unsigned char *p = place(s, x);
    unsigned w;
    if (s->inverted) {
        c.r ^= 255;
        c.g ^= 255;
        c.b ^= 255;
    }
    switch (s->format) {
    case GRAY8:
        p[0] = (unsigned char)((c.r * 77 + c.g * 151 + c.b * 28) >> 8);
        break;
    case RGB565:
        w = c.r >> 3 << 11 | c.g >> 2 << 5 | c.b >> 3;
        p[0] = (unsigned char)w;
        p[1] = (unsigned char)(w >> 8);
        break;
    case RGB888:
        p[0] = (unsigned char)c.r;
        p[1] = (unsigned char)c.g;
        p[2] = (unsigned char)c.b;
        break;
    }
}
static void convert_row(struct surface *from, struct surface *to) {
    for (int x = 0; x < from->width; ++x)
        put_pixel(to, x, get_pixel(from, x));
    if (++from->row == from->height)
        from->row = 0;
    if (++to->row == to->height)
        to->row = 0;
}
static struct surface *surface_new(int format, int mirrored, int inverted, int width) {
    struct surface *s = calloc(1, sizeof *s);
    s->format = format;
    s->mirrored = mirrored;
    s->inverted = inverted;
    s->width = width;
    s->height = 8;
    s->pitch = width * 3 + 2;
    s->pixels = calloc(s->pitch, s->height);
    return s;
}
int main(int argc, char **argv) {
    if (argc < 9)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    int width = atoi(argv[8]);
    struct surface *from = surface_new(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), width);
    struct surface *to = surface_new(atoi(argv[5]), atoi(argv[6]), atoi(argv[7]), width);
    uint32_t seed = 7, h = 0;
    for (int i = 0; i < from->pitch * from->height; ++i)
        from->pixels[i] = (unsigned char)(next(&seed) >> 24);
    for (unsigned i = 0; i < n; ++i) {
        convert_row(from, to);
        h = mix(h, to->pixels[i & 31]);
    }
    for (int i = 0; i < to->pitch * to->height; ++i)
        h = mix(h, to->pixels[i]);
    printf("%08x %d %d\n", h, from->row, to->row);
    return 0;
}
