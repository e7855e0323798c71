#include "config.h"
#include "port.h"
static long setting(const char *prefix, const char *name, long otherwise) {
    char s[32];
    snprintf(s, sizeof s, "%s_%s", prefix, name);
    return config_get(s, otherwise);
}
struct port *port_open(const char *prefix) {
    struct port *p = calloc(1, sizeof *p);
    p->codec = codec_find(setting(prefix, "codec", 0));
    p->gain = setting(prefix, "gain", 256);
    p->bias = setting(prefix, "bias", 0);
    p->channels = setting(prefix, "channels", 1);
    p->size = 256;
    p->data = calloc(1, p->size + 8);
    return p;
}
