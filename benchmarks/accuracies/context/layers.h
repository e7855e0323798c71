// benchmarks: one function, called with numbers that are known (field numbers, types) and with ones that are not (the data).
#pragma once

#include "../program.h"

enum type { VARINT = 0, FIXED32 = 5 };
enum { FIELDS = 2, BUFFER = 64 * 16 };

struct field {
    uint32_t number;
    enum type type;
};

struct writer {
    struct field fields[FIELDS];
    uint8_t *at;
    uint8_t *buffer;
};

void put_field(struct writer *writer, const struct field *field, uint32_t value);
void put_varint(struct writer *writer, uint32_t value);
void put_fixed(struct writer *writer, uint32_t value);
