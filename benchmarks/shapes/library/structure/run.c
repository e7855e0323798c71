#include "lib.h"
void converter_run(struct converter *c, const uint32_t *from, uint32_t *to, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        uint32_t v = plane_load(c->in, from[i]);
        if (c->dither) {
            v += c->error;
            c->error = v & 3;
        }
        to[i] = plane_store(c->out, v);
    }
}
