#include "config.h"
#include "trace.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct tracer *t = tracer_new();
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i)
        h = mix(h, traced_work(t, next(&seed)));
    for (unsigned i = 0; i < t->size; ++i) {
        struct span *s = &t->ring[i];
        h = mix(h, s->start);
        h = mix(h, s->end);
        h = mix(h, s->value);
        h = mix(h, s->category ? s->category->name[0] : 0);
    }
    printf("%08x %u %u\n", h, t->at, t->ticks);
    return 0;
}
