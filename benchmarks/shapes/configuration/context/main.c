#include "config.h"
#include "schema.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct writer *w = calloc(1, sizeof *w);
    w->schema = schema_load();
    w->at = w->start = calloc(1, 256);
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        struct record r = {next(&seed), seed >> 3, seed >> 13, seed * 7};
        put_record(w, &r);
        h = mix(h, (uint32_t)(w->at - w->start) + w->at[-1]);
    }
    for (int i = 0; i < 64; ++i)
        h = mix(h, w->start[i]);
    printf("%08x %d\n", h, (int)(w->at - w->start));
    return 0;
}
