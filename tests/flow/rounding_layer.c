/* tests: the layer below. */
#include "rounding.h"

double scaled(const struct layer *layer, double value) {
    if (layer->mode == 1)
        return value / layer->three + part(value);
    return value * layer->three;
}
double part(double value) { return value / third_of; }
double tenth(void) { return 1.0 / tenth_of; }
double whole(const struct layer *layer, long value) { return layer->mode == 1 ? (double)(value * 3) / 9 : 0; }
