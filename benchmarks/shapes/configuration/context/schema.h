#pragma once
#include "shapes.h"
enum type { T_U8, T_U16, T_U32, T_VARINT };
struct field {
    unsigned tag;
    enum type type;
    unsigned offset;
};
struct schema {
    int count;
    int tags;
    int big;
    struct field fields[8];
};
struct record {
    uint32_t a, b, c, d;
};
struct writer {
    unsigned char *at, *start;
    const struct schema *schema;
};
struct schema *schema_load(void);
void put_number(struct writer *w, uint32_t v, unsigned bytes);
void put_varint(struct writer *w, uint32_t v);
void put_field(struct writer *w, const struct field *f, const void *record);
void put_record(struct writer *w, const void *record);
