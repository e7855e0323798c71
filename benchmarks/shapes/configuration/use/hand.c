// cpu: enabled, clock 1; db: disabled; not verbose
#include "config.h"
#include "trace.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct tracer *t = tracer_new();
    struct category *cpu = t->categories[1];
    uint32_t seed = 1, h = 0, ticks = 0;
    unsigned at = 0;
    struct span *ring = t->ring;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        struct span *s = &ring[at++ & 63];
        s->category = cpu;
        s->start = ++ticks * 16;
        v = v * 2654435761u >> 5;
        v ^= v << 3;
        s->end = ++ticks * 16;
        s->value = v & 255;
        h = mix(h, v);
    }
    for (unsigned i = 0; i < t->size; ++i) {
        struct span *s = &t->ring[i];
        h = mix(h, s->start);
        h = mix(h, s->end);
        h = mix(h, s->value);
        h = mix(h, s->category ? s->category->name[0] : 0);
    }
    printf("%08x %u %u\n", h, at, ticks);
    return 0;
}
