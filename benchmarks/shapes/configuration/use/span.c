#include "trace.h"
struct span *span_begin(struct tracer *t, struct category *c) {
    if (!wanted(c))
        return NULL;
    struct span *s = &t->ring[t->at++ % t->size];
    s->category = c;
    s->start = now(t, c);
    return s;
}
void span_end(struct tracer *t, struct span *s, uint32_t value) {
    if (!s)
        return;
    s->end = now(t, s->category);
    s->value = t->verbose ? value : value & 255;
}
