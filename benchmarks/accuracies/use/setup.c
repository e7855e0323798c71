// benchmarks: settings: kind, amount, mask.
#include <stdlib.h>

#include "layers.h"

enum { RECORDS = 64 };

void *configure(const int *settings) {
    struct table *table = calloc(1, sizeof *table);
    struct format *format = calloc(1, sizeof *format);
    format->kind = (enum kind)settings[0];
    format->amount = (uint32_t)settings[1];
    format->mask = (uint32_t)settings[2];
    table->format = format;
    table->records = calloc(RECORDS, sizeof *table->records);
    return table;
}

uint32_t left_behind(void *handle) {
    const struct table *table = handle;
    uint32_t sum = 0;
    for (unsigned i = 0; i < RECORDS; ++i)
        sum = mixed(sum, table->records[i].value + (table->records[i].format == table->format));
    return sum;
}
