#pragma once
#include "shapes.h"
struct category {
    const char *name;
    int enabled;
    unsigned every;
    int clock;
    unsigned seen;
};
struct span {
    const struct category *category;
    uint32_t start, end, value;
};
struct tracer {
    struct category *categories[4];
    struct span *ring;
    unsigned size, at;
    uint32_t ticks;
    int verbose;
};
struct tracer *tracer_new(void);
uint32_t now(struct tracer *t, const struct category *c);
int wanted(struct category *c);
struct span *span_begin(struct tracer *t, struct category *c);
void span_end(struct tracer *t, struct span *s, uint32_t value);
uint32_t traced_work(struct tracer *t, uint32_t v);
