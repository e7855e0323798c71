// benchmarks: the layer that knows masks.
#include "layers.h"

uint32_t masked(const struct format *format, uint32_t value) {
    return format->mask == 0 ? value : value & format->mask;
}
