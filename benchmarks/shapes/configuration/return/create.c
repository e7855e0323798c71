#include "config.h"
#include "writer.h"
struct writer *writer_new(void) {
    struct writer *w = calloc(1, sizeof *w);
    struct device *d = w->device = calloc(1, sizeof *d);
    d->block = config_get("block", 4);
    d->fail_after = config_get("fail_after", 0);
    d->kind = config_get("kind", 0);
    d->data = calloc(1, 512);
    w->checked = config_get("checked", 0);
    w->retries = config_get("retries", 1);
    w->escape = config_get("escape", -1);
    return w;
}
