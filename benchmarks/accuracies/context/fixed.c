// benchmarks: the layer that writes numbers as they are.
#include <string.h>

#include "layers.h"

void put_fixed(struct writer *writer, uint32_t value) {
    memcpy(writer->at, &value, sizeof value);
    writer->at += sizeof value;
}
