// benchmarks: the layer that knows directions.
#include "layers.h"

void item(struct parameters *parameters, uint32_t value) {
    switch (parameters->direction) {
    case ENCODE:
        word(parameters, value);
        return;
    case DECODE:
        word(parameters, ~value);
        return;
    case SKIP:
        return;
    }
}
