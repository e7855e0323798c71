// benchmarks: what is left for direction ENCODE, order BIG, width 4.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct parameters *parameters = handle;
    uint32_t sum = 0;
    for (unsigned i = 0; i < count; ++i)
        sum = mixed(sum, __builtin_bswap32(values[i]));
    parameters->sum = sum;
    return sum;
}
