// benchmarks: the layer that fills records.
#include "layers.h"

void fill(struct record *record, const struct format *format, uint32_t value) {
    record->format = format;
    record->value = masked(format, formatted(format, value));
}
