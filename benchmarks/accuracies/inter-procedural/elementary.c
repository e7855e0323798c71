// benchmarks: the layer that knows widths.
#include "layers.h"

void elementary(struct parameters *parameters, uint32_t value) {
    if (parameters->width == 2)
        value &= 0xffff;
    parameters->sum = mixed(parameters->sum, value);
}
