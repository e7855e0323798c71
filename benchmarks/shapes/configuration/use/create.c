#include "config.h"
#include "trace.h"
struct tracer *tracer_new(void) {
    struct tracer *t = calloc(1, sizeof *t);
    static const char *names[] = {"io", "cpu", "net", "db"};
    for (int i = 0; i < 4; ++i) {
        char s[24];
        struct category *c = t->categories[i] = calloc(1, sizeof *c);
        c->name = names[i];
        snprintf(s, sizeof s, "%s_enabled", names[i]);
        c->enabled = config_get(s, 0);
        snprintf(s, sizeof s, "%s_every", names[i]);
        c->every = config_get(s, 1);
        snprintf(s, sizeof s, "%s_clock", names[i]);
        c->clock = config_get(s, 0);
    }
    t->size = 64;
    t->ring = calloc(t->size, sizeof *t->ring);
    t->verbose = config_get("verbose", 0);
    return t;
}
