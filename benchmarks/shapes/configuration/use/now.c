#include "trace.h"
uint32_t now(struct tracer *t, const struct category *c) {
    t->ticks++;
    switch (c->clock) {
    case 1:
        return t->ticks * 16;
    case 2:
        return t->ticks / 4;
    default:
        return t->ticks;
    }
}
