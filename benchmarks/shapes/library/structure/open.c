#include "lib.h"
static struct plane *plane_of(const char *s) { // depth, then flags: s swapped, p premultiplied
    struct plane *p = calloc(1, sizeof *p);
    p->depth = strtol(s, (char **)&s, 10);
    if (p->depth < 1 || p->depth > 16)
        p->depth = 8;
    p->max = (1u << p->depth) - 1;
    p->shift = 16 - p->depth;
    for (; *s; ++s) {
        if (*s == 's')
            p->swapped = 1;
        if (*s == 'p')
            p->premultiplied = 1;
    }
    return p;
}
struct converter *converter_open(const char *in, const char *out) {
    struct converter *c = calloc(1, sizeof *c);
    c->in = plane_of(in);
    c->out = plane_of(out);
    c->dither = strchr(out, 'd') != NULL;
    return c;
}
