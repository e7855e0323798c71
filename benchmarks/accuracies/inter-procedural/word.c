// benchmarks: the layer that knows byte orders.
#include "layers.h"

void word(struct parameters *parameters, uint32_t value) {
    if (parameters->order == BIG)
        value = __builtin_bswap32(value);
    elementary(parameters, value);
}
