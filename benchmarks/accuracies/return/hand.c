// benchmarks: what is left for width WIDE, sizes checked.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct sink *sink = handle;
    uint32_t sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        sum = mixed(sum, values[i] & 0xffff);
        sum = mixed(sum, values[i] >> 16);
        sum = mixed(sum, WIDE + WIDE);
    }
    sink->sum = sum;
    return sum;
}
