#include "lib.h"
struct object *object_new(struct heap *h, uint32_t value) {
    struct object *o = &h->objects[h->at];
    h->at = (h->at + 1) % h->size;
    if (h->zeroing)
        memset(o, 0, sizeof *o);
    o->class = h->class;
    o->value = value;
    if (h->class->hashed)
        o->hash = h->class->hash(o);
    if (h->class->counted)
        h->class->live++;
    return o;
}
uint32_t object_hash(const struct object *o) { return o->class->hashed ? o->hash : o->class->hash(o); }
