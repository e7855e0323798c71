#include "lib.h"
void codec_begin(struct codec *c) { c->at = 0; }
void codec_put(struct codec *c, int id, uint32_t value) {
    const struct field *f = &c->fields[id];
    if (!f->present)
        return;
    if (f->fixed)
        value = f->fixed;
    if (f->is_signed)
        value = value << 1 ^ (uint32_t)((int32_t)value >> 31);
    put_bytes(c, value, f->width, f->big);
}
