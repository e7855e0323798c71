// benchmarks: the layer that knows fields: a key, then the value by its type.
#include "layers.h"

void put_field(struct writer *writer, const struct field *field, uint32_t value) {
    put_varint(writer, field->number << 3 | (uint32_t)field->type);
    if (field->type == VARINT)
        put_varint(writer, value);
    else
        put_fixed(writer, value);
}
