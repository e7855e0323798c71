#include "schema.h"
void put_field(struct writer *w, const struct field *f, const void *record) {
    uint32_t v = *(const uint32_t *)((const char *)record + f->offset);
    if (w->schema->tags)
        put_varint(w, f->tag << 2 | f->type);
    switch (f->type) {
    case T_U8:
        put_number(w, v, 1);
        break;
    case T_U16:
        put_number(w, v, 2);
        break;
    case T_U32:
        put_number(w, v, 4);
        break;
    case T_VARINT:
        put_varint(w, v & 0x1fff);
        break;
    }
}
