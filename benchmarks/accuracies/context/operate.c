// benchmarks: the uppermost layer: a record of each value and its neighbour's lowest bits.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct writer *writer = handle;
    writer->at = writer->buffer;
    for (unsigned i = 0; i < count; ++i) {
        put_field(writer, &writer->fields[0], values[i] & 0x3fff);
        put_field(writer, &writer->fields[1], values[i]);
    }
    return mixed((uint32_t)(writer->at - writer->buffer), writer->at[-1]);
}
