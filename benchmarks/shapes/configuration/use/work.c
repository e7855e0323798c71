#include "trace.h"
uint32_t traced_work(struct tracer *t, uint32_t v) {
    struct span *outer = span_begin(t, t->categories[1]);
    struct span *inner = span_begin(t, t->categories[3]);
    v = v * 2654435761u >> 5;
    span_end(t, inner, v);
    v ^= v << 3;
    span_end(t, outer, v);
    return v;
}
