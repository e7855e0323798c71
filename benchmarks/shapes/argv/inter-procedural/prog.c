// A logger: severity filter, prefix, escaping, sink. Settings: minimal level, stamp, escape, sink, colour
#include "shapes.h"
enum sink_kind { SINK_NULL, SINK_RING, SINK_COUNT };
struct sink {
    enum sink_kind kind;
    char *ring;
    unsigned size, at, count;
};
struct logger {
    int level;
    int stamp;
    int escape;
    int colour;
    struct sink *sink;
    unsigned clock;
};

static void sink_put(struct sink *s, char c) {
    switch (s->kind) {
    case SINK_NULL:
        break;
    case SINK_RING:
        s->ring[s->at] = c;
        s->at = (s->at + 1) & (s->size - 1);
        break;
    case SINK_COUNT:
        s->count++;
        break;
    }
}
static void put_escaped(struct logger *l, char c) {
    if (l->escape && (c < ' ' || c == '\\' || c == '"')) {
        sink_put(l->sink, '\\');
        sink_put(l->sink, (char)('0' + ((c >> 4) & 7)));
    }
    sink_put(l->sink, c);
}
static void put_hex(struct logger *l, uint32_t v, int digits) {
    while (digits-- > 0)
        put_escaped(l, "0123456789abcdef"[v >> (4 * digits) & 15]);
}
static void prefix(struct logger *l, int severity) {
    if (l->colour) {
        sink_put(l->sink, 27);
        sink_put(l->sink, '[');
        sink_put(l->sink, (char)('1' + severity));
        sink_put(l->sink, 'm');
    }
    if (l->stamp) {
        put_hex(l, l->clock, 8);
        put_escaped(l, ' ');
    }
    put_escaped(l, "DIWE"[severity]);
    put_escaped(l, ':');
}
static void log_value(struct logger *l, int severity, uint32_t value) {
    l->clock++;
    if (severity < l->level)
        return;
    prefix(l, severity);
    put_hex(l, value, 4);
    put_escaped(l, '\n');
}
int main(int argc, char **argv) {
    if (argc < 7)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct logger *l = calloc(1, sizeof *l);
    l->level = atoi(argv[2]);
    l->stamp = atoi(argv[3]);
    l->escape = atoi(argv[4]);
    l->sink = calloc(1, sizeof *l->sink);
    l->sink->kind = atoi(argv[5]);
    l->colour = atoi(argv[6]);
    l->sink->size = 1024;
    l->sink->ring = calloc(1, 1024);
    uint32_t seed = 1;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        log_value(l, v >> 30, v >> 8);
    }
    uint32_t h = l->clock;
    for (int i = 0; i < 1024; ++i)
        h = mix(h, l->sink->ring[i]);
    printf("%08x %u %u\n", h, l->sink->at, l->sink->count);
    return 0;
}
