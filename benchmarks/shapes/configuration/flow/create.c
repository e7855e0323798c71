#include "config.h"
#include "session.h"
struct session *session_new(void) {
    struct session *s = calloc(1, sizeof *s);
    s->masked = config_get("masked", 0);
    s->swapped = config_get("swapped", 0);
    s->mask = config_get("mask", 0);
    s->limit = config_get("limit", 0xf0000000);
    s->acl = config_get("acl", 0);
    s->wire = calloc(64, sizeof *s->wire);
    return s;
}
