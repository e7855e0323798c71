// benchmarks: a pointer whose target is known, that is followed and also stored where it must really be.
#pragma once

#include "../program.h"

enum kind { SHIFTED, SCALED };

struct format {
    enum kind kind;
    uint32_t amount;
    uint32_t mask;
};

struct record {
    const struct format *format;
    uint32_t value;
};

struct table {
    const struct format *format;
    struct record *records;
};

void fill(struct record *record, const struct format *format, uint32_t value);
uint32_t formatted(const struct format *format, uint32_t value);
uint32_t masked(const struct format *format, uint32_t value);
